package org.panamaverbs.cli.perf;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Locale;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.byhand.ByHandConfig;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.perf.byhand.ByHandRun;
import org.panamaverbs.cli.perf.measure.BandwidthResult;
import org.panamaverbs.cli.perf.measure.LatencyResult;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.Session;

/** A side of a measurement by hand: its TCP connection, and what is printed. */
final class ByHandSide {
    private final Verbs verbs;
    private final PerfOptions options;
    private final QueuePairType type;
    private final ByHandConfig config;
    private final Session.Sizes sizes;

    /**
     * Creates a side.
     *
     * @throws CommandFailure naming what the device cannot
     */
    ByHandSide(Verbs verbs, PerfOptions options, QueuePairType type, ByHandConfig config) {
        this.verbs = verbs;
        this.options = options;
        this.type = type;
        this.config = config;
        DeviceLimits limits = new DeviceLimits(verbs, options);
        sizes = new Session.Sizes(
                options.test().operation(),
                1,
                options.largest(),
                options.queues().txDepth(),
                options.queues().rxDepth(),
                limits.inlineBytes(),
                false,
                type);
        limits.check(options.test(), sizes);
    }

    /** Measures with the server at {@code address}, from {@code local} if that is given. */
    void ask(InetSocketAddress address, @Nullable InetSocketAddress local, PerfReport report) {
        try (Socket socket = new Socket()) {
            socket.bind(local);
            socket.connect(address, Math.toIntExact(options.timeout().toMillis()));
            new ByHandRun(verbs, options, sizes, config, true, reporting(report)).run(socket);
        } catch (IOException e) {
            throw new CommandFailure(
                    "no server of perftest or `verbs perf --by-hand` at " + address + ": " + e.getMessage()
                            + "; start one there, with the same -p, before the client",
                    e);
        }
        report.end();
    }

    /** Serves one client at {@code address}. */
    void serve(InetSocketAddress address, Deadline patience, Consumer<InetSocketAddress> listening, PrintWriter out) {
        try (ServerSocket server = new ServerSocket()) {
            server.setReuseAddress(true);
            server.bind(address);
            listening.accept((InetSocketAddress) server.getLocalSocketAddress());
            if (!patience.unlimited()) {
                server.setSoTimeout(Math.toIntExact(Math.max(1, patience.remainingNanos() / 1_000_000)));
            }
            try (Socket socket = server.accept()) {
                new ByHandRun(verbs, options, sizes, config, false, serving(out)).run(socket);
            }
        } catch (SocketTimeoutException e) {
            throw new CommandFailure("no client came in time (--timeout)", e);
        } catch (IOException e) {
            throw new CommandFailure(
                    "cannot serve at " + address + ": " + e.getMessage()
                            + "; another port: -p, another address: --bind",
                    e);
        }
    }

    private ByHandRun.Listener reporting(PerfReport report) {
        return new ByHandRun.Listener() {
            @Override
            public void connected(String how) {
                report.begin(new PerfReport.Subject(
                        verbs.provider(),
                        verbs.device().name(),
                        Carrier.DEVICE,
                        how,
                        sizes.inlineBytes(),
                        type == QueuePairType.RC ? config.initiatorDepth() : 0,
                        type,
                        false));
            }

            @Override
            public void latency(LatencyResult result, Histogram times) {
                report.latency(result, times);
            }

            @Override
            public void bandwidth(BandwidthResult result) {
                report.bandwidth(result);
            }

            @Override
            public void peerMeasured(long size, long messages, double averageMib) {}
        };
    }

    private static ByHandRun.Listener serving(PrintWriter out) {
        return new ByHandRun.Listener() {
            @Override
            public void connected(String how) {
                print("connected " + how);
            }

            @Override
            public void latency(LatencyResult result, Histogram times) {
                print(String.format(
                        Locale.ROOT,
                        "%d octets: %.2f us, the median of %d",
                        result.size(),
                        result.percentiles().p50(),
                        result.iterations()));
            }

            @Override
            public void bandwidth(BandwidthResult result) {}

            @Override
            public void peerMeasured(long size, long messages, double averageMib) {
                print(String.format(
                        Locale.ROOT,
                        "%d octets: %.2f MiB/s, %d messages, says the client",
                        size,
                        averageMib,
                        messages));
            }

            private void print(String text) {
                out.println(text);
                out.flush();
            }
        };
    }
}
