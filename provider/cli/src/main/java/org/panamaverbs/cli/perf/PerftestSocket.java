package org.panamaverbs.cli.perf;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.panamaverbs.cli.command.CommandFailure;

/**
 * perftest's conversation over TCP: all that one side says the other answers with the same form, the client first. Each
 * message goes out at once: perftest takes what a single {@code read} returns for all of it. Used by one thread.
 */
final class PerftestSocket {
    /** What a peer may be that says something else. */
    static final String SAME_TEST =
            "; remedy: run the same test on both sides, with --out-of-band here and without -R there";

    /** What is said to be perftest's version: from 6.28 on it would send its parameters as a structure in memory. */
    private static final String VERSION = "6.06";

    private static final int VERSION_BYTES = 16;
    private static final int LEAST_MTU = 128;
    /** perftest's own, {@code sysconf(_SC_PAGESIZE)} and the cache line: what it writes walks through so many bytes. */
    private static final int CYCLE = 4096;

    private static final int CACHE_LINE = 64;
    private static final int MOST_CYCLE = 1 << 24;

    /**
     * What perftest's tools tell each other of a bandwidth test, {@code struct bw_report_data}.
     *
     * @param size bytes of a message
     * @param messages how many
     * @param peakMib MiB a second, the peak
     * @param averageMib MiB a second
     * @param megaMessages million messages a second
     */
    record Report(long size, long messages, double peakMib, double averageMib, double megaMessages) {
        /** Says that nothing was measured on this side. */
        static final Report NOTHING = new Report(0, 0, 0, 0, 0);
    }

    private final InputStream in;
    private final OutputStream out;
    private final boolean client;
    private final Duration timeout;

    PerftestSocket(Socket socket, boolean client, Duration timeout) throws IOException {
        this.client = client;
        this.timeout = timeout;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(Math.toIntExact(Math.min(Integer.MAX_VALUE, timeout.toMillis())));
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    /** Exchanges versions; returns the peer's. */
    String versions() {
        byte[] said = exchange(Arrays.copyOf(VERSION.getBytes(StandardCharsets.US_ASCII), VERSION_BYTES));
        String version = new String(said, StandardCharsets.US_ASCII).replaceFirst("\0.*", "");
        if (!version.matches("[0-9]+\\.[0-9]+.*")) {
            throw new CommandFailure("the peer sent no version in perftest's format: \"" + version + "\"" + SAME_TEST);
        }
        return version;
    }

    /** Exchanges what buffers are walked through in; returns the larger one. */
    int cycle() {
        int theirs = ByteBuffer.wrap(exchange(number(CYCLE))).getInt();
        exchange(number(CACHE_LINE));
        if (theirs < 0 || theirs > MOST_CYCLE) {
            throw new CommandFailure(
                    "the peer's buffer has " + theirs + " bytes, expected at most " + MOST_CYCLE + SAME_TEST);
        }
        return Math.max(CYCLE, theirs);
    }

    /** Exchanges the path MTU; returns the smaller one. */
    int mtu(int bytes) {
        int code = Integer.numberOfTrailingZeros(bytes / LEAST_MTU);
        byte[] said = exchange(new byte[] {(byte) ('0' + code), 0});
        int theirs = said[0] - '0';
        return theirs < 1 || theirs > 5 ? bytes : Math.min(bytes, LEAST_MTU << theirs);
    }

    /** Shakes hands, as perftest calls it; returns the peer's keys. */
    PerftestKeys handshake(PerftestKeys own) {
        return PerftestKeys.decode(exchange(own.encode()));
    }

    /** Exchanges what was measured; returns the peer's. */
    Report reports(Report own) {
        return new Report(
                ByteBuffer.wrap(exchange(number(own.size()))).getLong(),
                ByteBuffer.wrap(exchange(number(own.messages()))).getLong(),
                rate(own.peakMib()),
                rate(own.averageMib()),
                rate(own.megaMessages()));
    }

    private double rate(double own) {
        return ByteBuffer.wrap(exchange(number(Double.doubleToRawLongBits(own))))
                .getDouble();
    }

    void done() {
        try {
            out.write("done\0".getBytes(StandardCharsets.US_ASCII));
            out.flush();
        } catch (IOException e) {
            // The peer has closed, which it may do as soon as it has said the same.
            return;
        }
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private byte[] exchange(byte[] own) {
        try {
            if (client) {
                out.write(own);
                out.flush();
            }
            byte[] theirs = in.readNBytes(own.length);
            if (theirs.length < own.length) {
                throw new EOFException("the connection ended after " + theirs.length + " bytes of " + own.length);
            }
            if (!client) {
                out.write(own);
                out.flush();
            }
            return theirs;
        } catch (SocketTimeoutException e) {
            throw new CommandFailure(
                    "the peer has sent nothing for " + timeout.toSeconds() + " s; remedy: check the"
                            + " peer, or raise --timeout",
                    e);
        } catch (IOException e) {
            throw new CommandFailure("the exchange with the peer ended: " + e.getMessage() + SAME_TEST, e);
        }
    }
}
