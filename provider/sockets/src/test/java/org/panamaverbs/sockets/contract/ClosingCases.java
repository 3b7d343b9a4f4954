package org.panamaverbs.sockets.contract;

import static org.panamaverbs.sockets.contract.Trial.nonBlocking;
import static org.panamaverbs.sockets.contract.Trial.octets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What ends an operation that another thread waits in: a close, an interrupt, the end of a direction. */
final class ClosingCases {
    private ClosingCases() {}

    /** More than a connection takes while nobody reads. */
    private static final int MUCH = 3_000_000;

    /** How long a connection takes nothing before it is full: the timers of TCP have up to 400 ms. */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

    private static final long PACE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final List<Case> CASES = new ArrayList<>();

    private static void add(String name, Case.Program program) {
        CASES.add(new Case("ended: " + name, program));
    }

    /** An operation that waits. */
    private interface Waiting {
        Callable<?> on(Trial trial, SocketChannel channel) throws Exception;
    }

    private record Operation(String name, Waiting waiting) {}

    private static final List<Operation> OPERATIONS = List.of(
            new Operation("a read", (trial, channel) -> () -> channel.read(ByteBuffer.allocate(1))),
            new Operation(
                    "a scattering read",
                    (trial, channel) ->
                            () -> channel.read(new ByteBuffer[] {ByteBuffer.allocate(1), ByteBuffer.allocate(1)})),
            new Operation("a write", (trial, channel) -> {
                fill(channel);
                return () -> writeOn(() -> channel.write(ByteBuffer.allocateDirect(1)));
            }),
            new Operation("a gathering write", (trial, channel) -> {
                fill(channel);
                return () -> writeOn(() -> channel.write(new ByteBuffer[] {octets(0), octets(1)}));
            }),
            new Operation(
                    "a socket's read", (trial, channel) -> channel.socket().getInputStream()::read),
            new Operation("a socket's read in time", (trial, channel) -> {
                channel.socket().setSoTimeout(60_000);
                return channel.socket().getInputStream()::read;
            }),
            new Operation("a socket's write", (trial, channel) -> {
                var out = channel.socket().getOutputStream();
                return () -> {
                    out.write(new byte[MUCH]);
                    return "written";
                };
            }));

    /** Writes until there is no room, as nobody reads. */
    private static void fill(SocketChannel channel) throws Exception {
        channel.configureBlocking(false);
        ByteBuffer much = ByteBuffer.allocateDirect(1 << 14);
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < QUIET_NANOS) {
            if (channel.write(much.clear()) > 0 || channel.write(much.clear().limit(1)) > 0) {
                begun = System.nanoTime();
            }
            LockSupport.parkNanos(PACE_NANOS);
        }
        channel.configureBlocking(true);
    }

    /** A write of a single byte, all of it or nothing. */
    private interface Write {
        long one() throws IOException;
    }

    /**
     * Writes until a write is ended: the peer's system may still take some bytes when it had taken none for a while.
     */
    private static long writeOn(Write write) throws IOException {
        long written;
        do {
            written = write.one();
        } while (written > 0);
        return written;
    }

    /** What ends it. */
    private interface End {
        void of(Trial.Pair pair, Running running) throws Exception;
    }

    private static void each(Operation operation, String end, End ending) {
        add(operation.name + " by " + end, trial -> {
            Trial.Pair pair = trial.smallPair();
            Running running = blocked(trial, operation.waiting.on(trial, pair.client()));
            ending.of(pair, running);
            trial.note(running.end());
            trial.state(pair.client());
        });
    }

    /** Begins {@code operation}, again if it did not wait: a connection may take a little more than before. */
    private static Running blocked(Trial trial, Callable<?> operation) {
        long begun = System.nanoTime();
        Running running = trial.start(operation);
        while (!running.blocks()) {
            Trial.requireTime(begun);
            running = trial.start(operation);
        }
        return running;
    }

    static List<Case> all() {
        if (CASES.isEmpty()) {
            for (Operation each : OPERATIONS) {
                each(each, "close", (pair, running) -> pair.client().close());
                each(each, "an interrupt", (pair, running) -> running.interrupt());
                add(each.name + " by an interrupt before", trial -> {
                    Trial.Pair pair = trial.smallPair();
                    Callable<?> waiting = each.waiting.on(trial, pair.client());
                    Running running = trial.start(() -> {
                        Thread.currentThread().interrupt();
                        return waiting.call();
                    });
                    trial.note(running.end());
                    trial.state(pair.client());
                });
                if (each.name.contains("read")) {
                    each(
                            each,
                            "the end of its input",
                            (pair, running) -> pair.client().shutdownInput());
                    each(
                            each,
                            "its peer's close",
                            (pair, running) -> pair.server().close());
                    each(each, "its peer's reset", (pair, running) -> Trial.abort(pair.server()));
                } else {
                    each(
                            each,
                            "the end of its output",
                            (pair, running) -> pair.client().shutdownOutput());
                }
            }
            partly();
            connecting();
            accepting();
            others();
        }
        return List.copyOf(CASES);
    }

    /** Writes of which a part is under way: how much that is depends on the system, and the peer gets as much. */
    private static void partly() {
        List<Operation> writes = List.of(
                new Operation("a write", (trial, channel) -> {
                    ByteBuffer much = ByteBuffer.allocateDirect(MUCH);
                    return () -> channel.write(much);
                }),
                new Operation("a gathering write", (trial, channel) -> {
                    ByteBuffer[] much = {octets(10), ByteBuffer.allocateDirect(MUCH)};
                    return () -> channel.write(much);
                }));
        for (Operation each : writes) {
            partly(each, "the end of its output", pair -> pair.client().shutdownOutput());
            partly(each, "close", pair -> pair.client().close());
            add("a part of " + each.name + " by its peer's reset", trial -> {
                Trial.Pair pair = trial.smallPair();
                Running running =
                        trial.start(each.waiting.on(trial, pair.client())).awaitBlocked();
                Trial.abort(pair.server());
                trial.note(isPart(running.end()));
                trial.op("after that", () -> pair.client().write(octets(1)));
            });
        }
    }

    /** What ends a write. */
    private interface WriteEnd {
        void of(Trial.Pair pair) throws Exception;
    }

    private static void partly(Operation operation, String end, WriteEnd ending) {
        add("a part of " + operation.name + " by " + end, trial -> {
            Trial.Pair pair = trial.smallPair();
            Running running =
                    trial.start(operation.waiting.on(trial, pair.client())).awaitBlocked();
            ending.of(pair);
            String written = running.end();
            trial.note(isPart(written));
            trial.note(
                    String.valueOf(Trial.take(pair.server(), MUCH).remaining()).equals(written));
            trial.state(pair.client());
        });
    }

    private static String isPart(String written) {
        return written.matches("[1-9][0-9]*") ? "a part" : written;
    }

    private static void connecting() {
        add("a connect by close", trial -> {
            SocketChannel channel = trial.channel();
            var nowhere = trial.nowhere();
            Running running = trial.start(() -> channel.connect(nowhere)).awaitBlocked();
            channel.close();
            trial.note(running.end());
        });
        add("a connect by an interrupt", trial -> {
            SocketChannel channel = trial.channel();
            var nowhere = trial.nowhere();
            Running running = trial.start(() -> channel.connect(nowhere)).awaitBlocked();
            running.interrupt();
            trial.note(running.end());
            trial.state(channel);
        });
        add("a connect by an interrupt before", trial -> {
            SocketChannel channel = trial.channel();
            var address = trial.listener().getLocalAddress();
            Running running = trial.start(() -> {
                Thread.currentThread().interrupt();
                return channel.connect(address);
            });
            trial.note(running.end());
            trial.state(channel);
        });
        add("a connect in time by close", trial -> {
            SocketChannel channel = trial.channel();
            var nowhere = trial.nowhere();
            Running running = trial.start(() -> {
                        channel.socket().connect(nowhere, 60_000);
                        return "connected";
                    })
                    .awaitBlocked();
            channel.close();
            trial.note(running.end());
        });
        add("a connection that is pending by close", trial -> {
            SocketChannel channel = nonBlocking(trial.channel());
            channel.connect(trial.nowhere());
            channel.close();
            trial.state(channel);
            trial.op("finish", channel::finishConnect);
            trial.op("remote", channel::getRemoteAddress);
        });
        add("a connection that is finished blocking by close", trial -> {
            SocketChannel channel = nonBlocking(trial.channel());
            channel.connect(trial.nowhere());
            channel.configureBlocking(true);
            Running running = trial.start(channel::finishConnect).awaitBlocked();
            channel.close();
            trial.note(running.end());
        });
    }

    private static void accepting() {
        add("an accept by close", trial -> {
            ServerSocketChannel listener = trial.unbound().bind(Trial.anyPort());
            Running running = trial.start(listener::accept).awaitBlocked();
            listener.close();
            trial.note(running.end());
        });
        add("an accept by an interrupt", trial -> {
            ServerSocketChannel listener = trial.unbound().bind(Trial.anyPort());
            Running running = trial.start(listener::accept).awaitBlocked();
            running.interrupt();
            trial.note(running.end());
            trial.note(listener.isOpen());
        });
        add("an accept by an interrupt before", trial -> {
            ServerSocketChannel listener = trial.unbound().bind(Trial.anyPort());
            Running running = trial.start(() -> {
                Thread.currentThread().interrupt();
                return listener.accept();
            });
            trial.note(running.end());
            trial.note(listener.isOpen());
        });
        add("a socket's accept by close", trial -> {
            ServerSocketChannel listener = trial.unbound().bind(Trial.anyPort());
            Running running = trial.start(listener.socket()::accept).awaitBlocked();
            listener.socket().close();
            trial.note(running.end());
        });
        add("a socket's accept in time by close", trial -> {
            ServerSocketChannel listener = trial.unbound().bind(Trial.anyPort());
            listener.socket().setSoTimeout(60_000);
            Running running = trial.start(listener.socket()::accept).awaitBlocked();
            listener.close();
            trial.note(running.end());
        });
    }

    private static void others() {
        add("reading and writing by close, at once", trial -> {
            Trial.Pair pair = trial.smallPair();
            fill(pair.client());
            Running reading = trial.start(() -> pair.client().read(ByteBuffer.allocate(1)))
                    .awaitBlocked();
            Running writing = blocked(trial, () -> writeOn(() -> pair.client().write(octets(1))));
            pair.client().close();
            trial.note(reading.end());
            trial.note(writing.end());
        });
        add("a read on a virtual thread by close", trial -> {
            Trial.Pair pair = trial.smallPair();
            Running running = trial.startVirtual(() -> pair.client().read(ByteBuffer.allocate(1)))
                    .awaitBlocked();
            pair.client().close();
            trial.note(running.end());
        });
        add("a read on a virtual thread by an interrupt", trial -> {
            Trial.Pair pair = trial.smallPair();
            Running running = trial.startVirtual(() -> pair.client().read(ByteBuffer.allocate(1)))
                    .awaitBlocked();
            running.interrupt();
            trial.note(running.end());
            trial.state(pair.client());
        });
        add("the mode, while a thread reads, by close", trial -> {
            Trial.Pair pair = trial.smallPair();
            Running reading = trial.start(() -> pair.client().read(ByteBuffer.allocate(1)))
                    .awaitBlocked();
            Running changing =
                    trial.start(() -> pair.client().configureBlocking(false)).awaitBlocked();
            pair.client().close();
            trial.note(reading.end());
            trial.note(changing.end());
        });
        add("a second read by close", trial -> {
            Trial.Pair pair = trial.smallPair();
            Running first = trial.start(() -> pair.client().read(ByteBuffer.allocate(1)))
                    .awaitBlocked();
            Running second = trial.start(() -> pair.client().read(ByteBuffer.allocate(1)))
                    .awaitBlocked();
            pair.server().write(octets(1));
            trial.note(first.end());
            second.awaitBlocked();
            pair.client().close();
            trial.note(second.end());
        });
    }
}
