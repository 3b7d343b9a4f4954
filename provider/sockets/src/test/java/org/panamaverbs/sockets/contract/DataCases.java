package org.panamaverbs.sockets.contract;

import static org.panamaverbs.sockets.contract.Trial.nonBlocking;
import static org.panamaverbs.sockets.contract.Trial.octets;

import java.lang.foreign.Arena;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Bytes that go and come, in buffers of all kinds, and what is read at the end. */
final class DataCases {
    private DataCases() {}

    private static final List<Case> CASES = new ArrayList<>();

    private static void add(String name, Case.Program program) {
        CASES.add(new Case("bytes: " + name, program));
    }

    static List<Case> all() {
        if (CASES.isEmpty()) {
            ways();
            ends();
            arenas();
        }
        return List.copyOf(CASES);
    }

    private static boolean isCounted(ByteBuffer octets) {
        for (int i = 0; octets.hasRemaining(); i++) {
            if (octets.get() != (byte) i) {
                return false;
            }
        }
        return true;
    }

    private static void ways() {
        for (int size : new int[] {1, 100, 5000, 70_000, 600_000}) {
            add(size + " of them", trial -> {
                Trial.Pair pair = trial.pair();
                Running writing = trial.start(() -> pair.client().write(octets(size)));
                ByteBuffer read = Trial.take(pair.server(), size);
                trial.note(read.remaining() + " " + isCounted(read));
                trial.note(writing.end());
            });
            add(size + " of them, without waiting", trial -> {
                Trial.Pair pair = trial.pair();
                nonBlocking(pair.client());
                nonBlocking(pair.server());
                Running writing = trial.start(() -> {
                    ByteBuffer source = octets(size);
                    while (source.hasRemaining()) {
                        pair.client().write(source);
                        Thread.yield();
                    }
                    return source.position();
                });
                ByteBuffer read = Trial.take(pair.server(), size);
                trial.note(read.remaining() + " " + isCounted(read));
                trial.note(writing.end());
            });
        }
        add("gathered and scattered", trial -> {
            Trial.Pair pair = trial.pair();
            ByteBuffer[] sources = {
                octets(3), octets(0), ByteBuffer.allocateDirect(4), octets(9).position(2)
            };
            trial.note(pair.client().write(sources, 0, 4));
            ByteBuffer all = Trial.take(pair.server(), 14);
            trial.note(all.remaining());
            pair.server().write(octets(6));
            trial.awaitReadable(pair.client());
            ByteBuffer[] targets = {ByteBuffer.allocate(2), ByteBuffer.allocateDirect(3), ByteBuffer.allocate(5)};
            trial.note(pair.client().read(targets));
            trial.note(targets[0].position() + " " + targets[1].position() + " " + targets[2].position());
        });
        add("gathered from one buffer twice", trial -> {
            Trial.Pair pair = trial.pair();
            ByteBuffer source = octets(5);
            pair.client().write(new ByteBuffer[] {source, source.duplicate()});
            trial.note(Trial.take(pair.server(), 10).remaining());
            trial.note(source.position());
        });
        add("of a slice, a view and a read-only buffer", trial -> {
            Trial.Pair pair = trial.pair();
            ByteBuffer whole = octets(20);
            trial.note(pair.client().write(whole.slice(5, 5)));
            trial.note(pair.client().write(whole.asReadOnlyBuffer().position(10).limit(13)));
            trial.note(pair.client().write(ByteBuffer.allocateDirect(4).asReadOnlyBuffer()));
            ByteBuffer read = Trial.take(pair.server(), 12);
            trial.note(read.get(0) + " " + read.get(5) + " " + read.get(8));
        });
        add("both ways at once", trial -> {
            Trial.Pair pair = trial.pair();
            Running there = trial.start(() -> pair.client().write(octets(300_000)));
            Running back = trial.start(() -> pair.server().write(octets(300_000)));
            Running read = trial.start(() -> isCounted(Trial.take(pair.server(), 300_000)));
            trial.note(isCounted(Trial.take(pair.client(), 300_000)));
            trial.note(there.end() + " " + back.end() + " " + read.end());
        });
        add("there and back on virtual threads", trial -> {
            Trial.Pair pair = trial.pair();
            Running echo = trial.startVirtual(() -> {
                for (int i = 0; i < 20; i++) {
                    pair.server().write(Trial.take(pair.server(), 10));
                }
                return "echoed";
            });
            Running asks = trial.startVirtual(() -> {
                int right = 0;
                for (int i = 0; i < 20; i++) {
                    pair.client().write(octets(10));
                    right += isCounted(Trial.take(pair.client(), 10)) ? 1 : 0;
                }
                return right;
            });
            trial.note(echo.end() + " " + asks.end());
        });
    }

    private static void ends() {
        add("before the end", trial -> {
            Trial.Pair pair = trial.pair();
            pair.client().write(octets(3));
            pair.client().close();
            trial.note(Trial.take(pair.server(), 10).remaining());
            trial.op("the end", () -> pair.server().read(ByteBuffer.allocate(1)));
            trial.op("again", () -> pair.server().read(ByteBuffer.allocate(1)));
            trial.op("scattered", () -> pair.server().read(new ByteBuffer[] {ByteBuffer.allocate(1)}));
            trial.op("into nothing", () -> pair.server().read(ByteBuffer.allocate(0)));
        });
        add("the other way after the end of one", trial -> {
            Trial.Pair pair = trial.pair();
            pair.client().shutdownOutput();
            trial.op("the end", () -> pair.server().read(ByteBuffer.allocate(1)));
            pair.server().write(octets(5));
            pair.server().shutdownOutput();
            trial.note(Trial.take(pair.client(), 10).remaining());
            trial.op("the end", () -> pair.client().read(ByteBuffer.allocate(1)));
            trial.state(pair.client());
        });
        add("written to a peer that is gone", trial -> {
            Trial.Pair pair = trial.pair();
            pair.server().close();
            trial.awaitReadable(pair.client());
            trial.op("write until it fails", () -> {
                long begun = System.nanoTime();
                while (true) {
                    Trial.requireTime(begun);
                    pair.client().write(octets(100));
                }
            });
            trial.state(pair.client());
        });
        add("read after its input is shut", trial -> {
            Trial.Pair pair = trial.pair();
            pair.server().write(octets(3));
            trial.awaitReadable(pair.client());
            pair.client().shutdownInput();
            trial.op("read", () -> pair.client().read(ByteBuffer.allocate(1)));
            trial.op("peer writes", () -> pair.server().write(octets(3)));
            trial.op("write", () -> pair.client().write(octets(3)));
            trial.note(Trial.take(pair.server(), 3).remaining());
        });
        add("a reset with bytes unread", trial -> {
            Trial.Pair pair = trial.pair();
            Trial.abort(pair.server());
            trial.awaitReadable(pair.client());
            trial.op("read", () -> pair.client().read(ByteBuffer.allocate(10)));
            trial.op("read", () -> pair.client().read(ByteBuffer.allocate(10)));
            trial.op("socket", () -> pair.client().socket().getInputStream().read());
            trial.state(pair.client());
        });
        add("a close that lingers", trial -> {
            Trial.Pair pair = trial.pair();
            pair.client().setOption(StandardSocketOptions.SO_LINGER, 10);
            pair.client().write(octets(1000));
            pair.client().close();
            trial.note(Trial.take(pair.server(), 1001).remaining());
        });
    }

    private static void arenas() {
        add("of a confined arena", trial -> {
            Trial.Pair pair = trial.pair();
            try (Arena arena = Arena.ofConfined()) {
                trial.note(pair.client().write(arena.allocate(10).asByteBuffer()));
                ByteBuffer target = arena.allocate(10).asByteBuffer();
                pair.server().write(octets(10));
                trial.awaitReadable(pair.client());
                trial.note(pair.client().read(target));
                Running another = trial.start(() -> pair.client().write(target.flip()));
                trial.note(another.end());
                Running others = trial.start(() -> pair.client().write(new ByteBuffer[] {octets(1), target}));
                trial.note(others.end());
            }
        });
        add("of an arena that is closed", trial -> {
            Trial.Pair pair = trial.pair();
            Arena arena = Arena.ofShared();
            ByteBuffer gone = arena.allocate(10).asByteBuffer();
            arena.close();
            trial.op("write", () -> pair.client().write(gone));
            trial.op("read", () -> nonBlocking(pair.client()).read(gone) < 0);
        });
        add("gathered, one of an arena that is closed", trial -> {
            Trial.Pair pair = trial.pair();
            Arena arena = Arena.ofShared();
            ByteBuffer gone = arena.allocate(10).asByteBuffer();
            arena.close();
            ByteBuffer first = octets(4);
            trial.op("write", () -> pair.client().write(new ByteBuffer[] {first, gone}));
            trial.note("position " + first.position());
            trial.op("an empty one", () -> pair.client().write(new ByteBuffer[] {first, gone.limit(0)}));
            trial.note("position " + first.position());
            trial.op("write", () -> pair.client().write(first));
            pair.client().shutdownOutput();
            ByteBuffer all = Trial.take(pair.server(), 10);
            trial.note(all.remaining() + " " + isCounted(all));
        });
        add("scattered, one of an arena that is closed", trial -> {
            Trial.Pair pair = trial.pair();
            pair.server().write(octets(8));
            trial.awaitReadable(pair.client());
            Arena arena = Arena.ofShared();
            ByteBuffer gone = arena.allocate(10).asByteBuffer();
            arena.close();
            ByteBuffer first = ByteBuffer.allocate(4);
            trial.op("read", () -> pair.client().read(new ByteBuffer[] {first, gone}));
            trial.note("position " + first.position());
            trial.note(Trial.take(pair.client(), 8).remaining());
        });
        add("an arena that is closed while its buffer is read into", trial -> arenaInUse(trial, true));
        add("an arena that is closed while its buffer is written", trial -> arenaInUse(trial, false));
        add("an arena that is closed after its buffer was used", trial -> {
            Trial.Pair pair = trial.pair();
            Arena arena = Arena.ofShared();
            trial.note(pair.client().write(arena.allocate(10).asByteBuffer()));
            trial.op("close", () -> {
                arena.close();
                return "closed";
            });
            trial.note(Trial.take(pair.server(), 10).remaining());
        });
    }

    private static void arenaInUse(Trial trial, boolean reads) throws Exception {
        Trial.Pair pair = trial.smallPair();
        SocketChannel channel = pair.client();
        Arena arena = Arena.ofShared();
        ByteBuffer buffer = arena.allocate(reads ? 10 : 2_000_000).asByteBuffer();
        CountDownLatch begun = new CountDownLatch(1);
        Running running = trial.start(() -> {
            begun.countDown();
            return reads ? channel.read(buffer) : channel.write(buffer);
        });
        begun.await();
        running.awaitBlocked();
        trial.op("close", () -> {
            arena.close();
            return "closed";
        });
        if (reads) {
            pair.server().write(octets(3));
        } else {
            // Whoever may not go on ends its output, so that this ends, too.
            Running taking =
                    trial.start(() -> Trial.take(pair.server(), 2_000_000).remaining());
            String written = running.end();
            channel.shutdownOutput();
            trial.note(written.startsWith("throws") ? "some" : taking.end());
        }
        trial.note(running.end());
        trial.op("close after that", () -> {
            arena.close();
            return "closed";
        });
    }
}
