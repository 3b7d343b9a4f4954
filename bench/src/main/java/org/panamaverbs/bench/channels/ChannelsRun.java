package org.panamaverbs.bench.channels;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.panamaverbs.bench.Median;
import org.panamaverbs.bench.loopback.exchange.End;
import org.panamaverbs.bench.loopback.exchange.PairTable;
import org.panamaverbs.bench.loopback.exchange.PairTable.Scale;
import org.panamaverbs.bench.loopback.exchange.PairTable.Target;
import org.panamaverbs.bench.loopback.exchange.Round;
import org.panamaverbs.bench.loopback.exchange.SidePair;
import org.panamaverbs.bench.result.Spread;

/**
 * Channels beside the same verbs by hand, and plain TCP. {@code bench/channels} starts it, and {@code bench/compare}
 * for one figure.
 */
public final class ChannelsRun {
    private static final int FAN = 8;
    private static final int LARGE_BURST = 1 << 24;
    private static final List<String> WAYS = List.of("SENDS", "RING");

    private final PairTable table;

    private ChannelsRun(PairTable table) {
        this.table = table;
    }

    /**
     * Measures.
     *
     * @param arguments as {@link PairTable} takes them; behind these the words of a {@link Task}, for one figure of it
     *     as JSON in place of the table
     */
    public static void main(String[] arguments) throws IOException {
        try (PairTable table = new PairTable(arguments)) {
            ChannelsRun run = new ChannelsRun(table);
            if (arguments.length > 5) {
                run.one(Task.of(List.of(arguments).subList(5, arguments.length).toArray(new String[0])));
            } else {
                System.out.println("| what | other | channel | compared | target | |\n|---|--:|--:|--:|--:|---|");
                run.place("one host", "require", 15);
                run.place("TCP", "off", 0);
            }
        }
    }

    private void one(Task task) throws IOException {
        End.Figure figure = table.measure(task);
        System.out.printf(
                Locale.ROOT,
                "{\"median_ns\": %.0f, \"messages_per_second\": %.0f,"
                        + " \"percentiles_ns\": {\"50\": %.0f, \"99\": %.0f, \"99.9\": %.0f}}%n",
                figure.value(),
                rate(task, figure),
                figure.value(),
                figure.p99(),
                figure.p999());
    }

    private void place(String place, String shm, double most) throws IOException {
        List<Task> trips =
                WAYS.stream().map(way -> Task.trips("channel", way, shm)).toList();
        String ways = place + ", RING beside SENDS, ";
        if (wanted(ways + "round trip")) {
            table.ratio(ways + "round trip", trips.get(0), trips.get(1), PairTable.MICROSECONDS, Target.NONE);
        }
        if (wanted(ways + "stream")) {
            rate(ways + "stream", trips.get(0).streamed(), trips.get(1).streamed(), Double.NaN, 0);
        }
        for (int bytes : new int[] {4096, 1 << 15}) {
            String large = ways + "messages of " + bytes + " bytes";
            if (wanted(large)) {
                int burst = LARGE_BURST / bytes;
                rate(large, trips.get(0).streamed(burst, bytes), trips.get(1).streamed(burst, bytes), Double.NaN, 0);
            }
        }
        for (String way : WAYS) {
            Task hand = Task.trips("hand", way, shm);
            Task channel = Task.trips("channel", way, shm);
            String name = place + ", " + way + ", ";
            if (wanted(name + "round trip")) {
                Target target = new Target("<= + 0.10 us", more -> more.atMost(0.1));
                table.added(name + "round trip", hand, channel, target);
            }
            if (wanted(name + "p99.9 at 50 % load")) {
                long pace = 2 * (long) table.measure(hand).value();
                late(name + "p99.9 at 50 % load", hand.every(pace), channel.every(pace));
            }
            Task stream = Task.stream("channel", way, shm);
            if (wanted(name + "stream beside batched Sends")) {
                rate(name + "stream beside batched Sends", Task.stream("hand", "SENDS", shm), stream, 0.9, most);
            }
            if (wanted(name + "8 publishers beside one")) {
                rate(name + "8 publishers beside one", stream, stream.among(FAN), 0.8, 0);
            }
            if (wanted(name + "processor time of a message beside plain TCP")) {
                processor(
                        name + "processor time of a message beside plain TCP",
                        Task.stream("tcp", way, shm),
                        stream,
                        most == 0 ? Double.NaN : 0.5);
            }
        }
    }

    private boolean wanted(String what) {
        return table.wanted(what);
    }

    private void late(String what, Task other, Task ours) throws IOException {
        List<Round> all = table.ask(other, ours);
        Spread ratios = PairTable.spread(
                all,
                round -> 2
                        * round.ours().p999()
                        / (round.before().p999() + round.after().p999()));
        Scale tail = new Scale("us", figure -> figure.p999() / 1e3);
        PairTable.print(
                what, all, tail, ratios.ratioText(), "<= 2", ratios.atMost(2).text());
    }

    /** A rate that is at least {@code least} times the other, or if {@code most} is not 0, so many million a second. */
    private void rate(String what, Task other, Task ours, double least, double most) throws IOException {
        List<Round> all = table.ask(other, ours);
        Spread ratios = PairTable.spread(
                all,
                round -> rate(ours, round.ours()) / ((rate(other, round.before()) + rate(other, round.after())) / 2));
        Spread millions = PairTable.spread(all, round -> rate(ours, round.ours()) / 1e6);
        PairTable.print(
                what,
                all,
                new Scale("M/s", figure -> ours.burst() / figure.value() * 1e3),
                ratios.ratioText(),
                most > 0 ? ">= " + most + " M/s" : Double.isNaN(least) ? "" : ">= " + least,
                (most > 0 ? millions.atLeast(most) : ratios.atLeast(least)).text());
    }

    private static double rate(Task task, End.Figure figure) {
        return task.burst() * 1e9 / figure.value();
    }

    private void processor(String what, Task other, Task ours, double limit) throws IOException {
        List<Double> theirs = new ArrayList<>();
        List<Double> its = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < table.rounds(); i++) {
            double before = processorNanos(other);
            its.add(processorNanos(ours));
            theirs.add((before + processorNanos(other)) / 2);
            ratios.add(its.getLast() / theirs.getLast());
        }
        Spread spread = Spread.of(ratios);
        System.out.printf(
                Locale.ROOT,
                "| %s | %.1f ns | %.1f ns | %s | %s | %s |%n",
                what,
                Median.of(theirs),
                Median.of(its),
                spread.ratioText(),
                Double.isNaN(limit) ? "" : "<= " + limit,
                Double.isNaN(limit) ? "" : spread.atMost(limit).text());
    }

    private double processorNanos(Task task) throws IOException {
        SidePair pair = table.pair(task);
        double before = pair.processorNanos();
        double rate = rate(task, table.measure(task));
        return (pair.processorNanos() - before) / (rate * table.millis() / 1e3);
    }
}
