package org.panamaverbs.cli.top;

import java.io.PrintWriter;
import java.util.Locale;
import org.panamaverbs.api.device.Counter;
import org.panamaverbs.cli.top.Samples.Snapshot;

/** Prints a snapshot as a table that fits a terminal of 80 columns. */
final class Table {
    private static final String FORMAT = "%5s %-20.20s %-3.3s %-4.4s %6s %6s %6s %6s %4s %4s %5s%n";
    private static final String HEADINGS = "QP PEER BY STAT SEND/s RECV/s OUT/s IN/s SQ RQ BATCH";
    private static final String CHANNEL = "%5s %-20.20s %-5s %-6s %7s %7s %6s %6s %6s%n";
    private static final String UNKNOWN = "-";

    private final PrintWriter out;

    Table(PrintWriter out) {
        this.out = out;
    }

    void print(long pid, Snapshot snapshot) {
        out.printf(Locale.ROOT, "process %d%n", pid);
        snapshot.devices().forEach(this::print);
        out.println();
        out.printf(Locale.ROOT, FORMAT, (Object[]) HEADINGS.split(" "));
        snapshot.queuePairs().forEach(this::row);
        if (snapshot.queuePairs().isEmpty()) {
            out.println("no queue pairs");
        }
        if (!snapshot.channels().isEmpty()) {
            out.println();
            out.printf(
                    Locale.ROOT, CHANNEL, "QP", "PEER", "WAY", "STAT", "PUB/s", "TAKEN/s", "DOUBT", "KEPT", "FULL/s");
            snapshot.channels().forEach(this::channelRow);
        }
        out.flush();
    }

    private void channelRow(Sample channel) {
        out.printf(
                Locale.ROOT,
                CHANNEL,
                channel.event().getInt("queuePair"),
                shortened(channel.text("peer")),
                channel.text("way"),
                channel.text("state"),
                rate(channel.perSecond("published")),
                rate(channel.perSecond("taken")),
                fill(channel.number("published"), channel.number("released")),
                octets(channel.number("kept")),
                rate(channel.perSecond("backPressured")));
    }

    private void print(Sample device) {
        out.printf(
                Locale.ROOT,
                "%s (%s)  queue pairs %s, connected %s, by shared memory %s%n",
                device.text("device"),
                device.text("provider"),
                number(device, Counter.QUEUE_PAIRS),
                number(device, Counter.CONNECTIONS),
                number(device, Counter.SHARED_CONNECTIONS));
        out.printf(
                Locale.ROOT,
                "  made %s, failed %s, broken %s  stalls %s  overruns %s  Terminates %s out, %s in%n",
                number(device, Counter.CONNECTIONS_MADE),
                number(device, Counter.CONNECTIONS_FAILED),
                number(device, Counter.FAILURES),
                number(device, Counter.STALLS),
                number(device, Counter.OVERRUNS),
                number(device, Counter.TERMINATES_SENT),
                number(device, Counter.TERMINATES_RECEIVED));
        double polls = device.perSecond(Counter.POLLS);
        out.printf(
                Locale.ROOT,
                "  registered %s (%s)  flushed %s  direct %s/s  polls %s/s, empty %s%n",
                number(device, Counter.REGISTRATIONS),
                number(device, Counter.REGISTERED_BYTES),
                number(device, Counter.FLUSHED),
                rate(device.perSecond(Counter.SENDS_DIRECT)),
                rate(polls),
                polls > 0 ? Math.round(100 * device.perSecond(Counter.EMPTY_POLLS) / polls) + " %" : UNKNOWN);
    }

    private static String number(Sample device, Counter counter) {
        return octets(device.number(counter));
    }

    private void row(Sample pair) {
        String peer = pair.text("peer");
        out.printf(
                Locale.ROOT,
                FORMAT,
                pair.event().getInt("queuePair"),
                peer.isEmpty() ? UNKNOWN : shortened(peer),
                carrier(pair.text("carrier")),
                state(pair.text("state")),
                count(pair.perSecond(Counter.SENDS_COMPLETED), pair.perSecond(Counter.SENDS_POSTED)),
                count(pair.perSecond(Counter.RECEIVES_COMPLETED), Double.NaN),
                rate(pair.perSecond(Counter.BYTES_SENT)),
                rate(pair.perSecond(Counter.BYTES_RECEIVED)),
                fill(pair.number(Counter.SENDS_POSTED), pair.number(Counter.SENDS_COMPLETED)),
                pair.number(Counter.RECEIVE_CAPACITY) == 0
                        ? "srq"
                        : fill(pair.number(Counter.RECEIVES_POSTED), pair.number(Counter.RECEIVES_COMPLETED)),
                batch(pair.sendsPerWrite()));
    }

    private static String carrier(String carrier) {
        return switch (carrier) {
            case "" -> UNKNOWN;
            case "SHARED_MEMORY" -> "shm";
            default -> carrier.toLowerCase(Locale.ROOT);
        };
    }

    private static String state(String state) {
        return state.equals("CLOSED") ? "GONE" : state.equals("ERROR") ? "ERR" : state;
    }

    // The port says more than the network.
    private static String shortened(String peer) {
        return peer.length() <= 20 ? peer : "~" + peer.substring(peer.length() - 19);
    }

    private static String count(double first, double otherwise) {
        return rate(Double.isNaN(first) ? otherwise : first);
    }

    private static String rate(double perSecond) {
        return Double.isNaN(perSecond) ? UNKNOWN : octets(Math.round(perSecond));
    }

    private static String fill(long posted, long done) {
        return posted < 0 || done < 0 ? UNKNOWN : octets(Math.max(0, posted - done));
    }

    private static String batch(double sends) {
        return Double.isNaN(sends) ? UNKNOWN : String.format(Locale.ROOT, "%.1f", sends);
    }

    /** Returns {@code number} in at most five characters: 999, 1.2k, 45k, 6.7M. */
    static String octets(long number) {
        if (number < 1000) {
            return Long.toString(number);
        }
        double value = number;
        String units = "kMGTPE";
        int unit = -1;
        while (value >= 999.5 && unit < units.length() - 1) {
            value /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, value < 9.95 ? "%.1f%c" : "%.0f%c", value, units.charAt(unit));
    }
}
