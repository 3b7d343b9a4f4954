package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.Requirement;

/**
 * Access that is taken away while a peer makes use of it as fast as it can: once that has returned, not a byte of the
 * peer's gets there any more, and not a byte of the next owner's gets out (RFC 5040 §8.1.1, RFC 5042 §6.2.2).
 */
@Timeout(120)
class RevocationRaceTest {
    private static final int BYTES = 64 * 1024;
    private static final int ROUNDS = 3;
    private static final int OUTSTANDING = 8;
    private static final byte PEERS = 0x11;
    private static final byte OWNERS = 0x77;
    private static final Access[] REMOTE = {Access.REMOTE_READ, Access.REMOTE_WRITE};

    /** Ways to take access away. */
    enum Revocation {
        BUFFER_CLOSED,
        WINDOW_INVALIDATED,
        WINDOW_UNBOUND,
        WINDOW_CLOSED,
        QUEUE_PAIR_CLOSED;

        /** Whether it shows by a completion, which the caller polls for. */
        boolean byPosting() {
            return this == WINDOW_INVALIDATED || this == WINDOW_UNBOUND;
        }

        RemoteBuffer expose(Peer server, RegisteredBuffer memory, MemoryWindow window) {
            if (this == BUFFER_CLOSED || this == QUEUE_PAIR_CLOSED) {
                return memory.remote();
            }
            PostStatus.check(server.queuePair().bind(1, window, memory, 0, BYTES, SIGNALED, REMOTE));
            server.nextOk();
            return window.remote();
        }

        void revoke(Peer server, RegisteredBuffer memory, MemoryWindow window) {
            switch (this) {
                case BUFFER_CLOSED -> memory.close();
                case WINDOW_CLOSED -> window.close();
                case QUEUE_PAIR_CLOSED -> server.queuePair().close();
                case WINDOW_INVALIDATED ->
                    PostStatus.check(server.queuePair().localInvalidate(2, window.rkey(), SIGNALED));
                case WINDOW_UNBOUND -> PostStatus.check(server.queuePair().bind(2, window, memory, 0, 0, SIGNALED));
            }
            if (byPosting()) {
                server.nextOk();
            }
        }
    }

    static Stream<Arguments> races() {
        List<Arguments> races = new ArrayList<>();
        for (String options : List.of("shm=off crc=on", "shm.direct=off", "shm.direct=on")) {
            for (String progress : List.of("background", "spin")) {
                for (Revocation revocation : Revocation.values()) {
                    races.add(Arguments.of(revocation, progress, options));
                }
            }
        }
        return races.stream();
    }

    @ParameterizedTest
    @MethodSource("races")
    @Requirement({"RDMAP-8.1.1-6-01", "RDMAP-8.1.1-4-01", "SEC-6.2.2-01"})
    void noWriteLandsAfterwards(Revocation revocation, String progress, String options) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            race(revocation, progress, options, false, round);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BUFFER_CLOSED, shm=off crc=on",
        "BUFFER_CLOSED, shm=off crc=off",
        "BUFFER_CLOSED, shm.direct=off",
        "BUFFER_CLOSED, shm=auto",
        "WINDOW_INVALIDATED, shm=off crc=on",
        "WINDOW_INVALIDATED, shm=off crc=off",
        "WINDOW_INVALIDATED, shm.direct=off",
        "WINDOW_INVALIDATED, shm=auto",
        "WINDOW_UNBOUND, shm=off crc=off",
        "WINDOW_UNBOUND, shm.direct=off",
        "WINDOW_UNBOUND, shm=auto",
        "WINDOW_CLOSED, shm=off crc=off",
        "WINDOW_CLOSED, shm.direct=off",
        "WINDOW_CLOSED, shm=auto",
        "QUEUE_PAIR_CLOSED, shm=off crc=off",
        "QUEUE_PAIR_CLOSED, shm.direct=off",
        "QUEUE_PAIR_CLOSED, shm=auto"
    })
    @Requirement("RDMAP-8.1.1-6-01")
    void noReadSeesWhatIsThereAfterwards(Revocation revocation, String options) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            race(revocation, "background", options, true, round);
        }
    }

    private static void race(Revocation revocation, String progress, String options, boolean reads, int round)
            throws Exception {
        MemoryWindow.Type type =
                revocation == Revocation.WINDOW_UNBOUND ? MemoryWindow.Type.TYPE_1 : MemoryWindow.Type.TYPE_2;
        try (Arena arena = Arena.ofShared();
                Peer client = new Peer(options.split(" "));
                Peer server = new Peer((options + " progress=" + progress).split(" "));
                MemoryWindow window = server.domain.memoryWindow(type)) {
            MemorySegment memory = arena.allocate(BYTES, 64).fill(reads ? PEERS : 0);
            client.buffer.segment().fill(reads ? 0 : PEERS);
            try (RegisteredBuffer registered = server.domain.register(memory, Peer.ALL)) {
                Peer.connect(client, server);
                RemoteBuffer target = revocation.expose(server, registered, window);
                Background<Integer> hammer = Background.start(() -> hammer(client, target, reads));
                MemorySegment seen = reads ? client.buffer.segment() : memory;
                WorkCompletions none = WorkCompletions.ofCapacity(1);
                Raw.await("that the peer gets there", () -> {
                    server.queue.poll(none);
                    return seen.get(ValueLayout.JAVA_BYTE, BYTES - 1) == PEERS;
                });
                spin(round * 5000);

                AtomicBoolean over = new AtomicBoolean();
                Background<Boolean> poller = Background.start(() -> revocation.byPosting() || poll(server, over));
                revocation.revoke(server, registered, window);
                memory.fill(OWNERS);
                boolean polled = revocation.byPosting();
                Raw.await("that the peer is told", () -> {
                    if (polled) {
                        server.queue.poll(none);
                    }
                    return !client.connection().isConnected();
                });

                assertThat(hammer.get()).as("operations that succeeded before").isPositive();
                over.set(true);
                assertThat(poller.get()).isTrue();
                assertThat(memory.mismatch(arena.allocate(BYTES).fill(OWNERS)))
                        .as("the first byte that changed afterwards")
                        .isEqualTo(-1);
                assertThat(indexOf(client.buffer.segment().asSlice(0, BYTES), OWNERS))
                        .as("the first byte of the new owner's that got out")
                        .isEqualTo(-1);
                server.connection().close();
            }
        }
    }

    /** Has so many operations outstanding all the time until one fails; returns how many succeeded. */
    private static int hammer(Peer client, RemoteBuffer target, boolean reads) {
        int succeeded = 0;
        for (int posted = 0; ; posted++) {
            PostStatus.check(
                    reads
                            ? client.queuePair().read(posted, client.buffer, 0, BYTES, target, 0, SIGNALED)
                            : client.queuePair().write(posted, client.buffer, 0, BYTES, target, 0, SIGNALED));
            if (posted >= OUTSTANDING) {
                WorkCompletion next = client.next();
                if (!next.ok()) {
                    return succeeded;
                }
                succeeded++;
            }
        }
    }

    private static boolean poll(Peer server, AtomicBoolean over) {
        WorkCompletions completions = WorkCompletions.ofCapacity(4);
        while (!over.get()) {
            server.queue.poll(completions);
        }
        return true;
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    private static int indexOf(MemorySegment segment, byte octet) {
        byte[] bytes = segment.toArray(ValueLayout.JAVA_BYTE);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == octet) {
                return i;
            }
        }
        return -1;
    }
}
