package org.panamaverbs.iwarp.engine;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** Direct access beside everything else: windows, messages, other queue pairs, other transports, children, ends. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class DirectMixedTest {
    private static final Access[] READ_WRITE = {Access.REMOTE_READ, Access.REMOTE_WRITE};
    private static final long LAST_PROBE_MILLIS = 500;

    private final List<Peer> peers = new ArrayList<>();

    private Peer peer(String... options) {
        Peer peer = new Peer(options);
        peers.add(peer);
        return peer;
    }

    private Peer direct() {
        return peer("shm=require", "shm.direct=on");
    }

    @AfterEach
    void close() {
        peers.forEach(Peer::close);
    }

    private static MemoryWindow window(Peer of, MemoryWindow.Type type, long offset, long length) {
        MemoryWindow window = of.domain.memoryWindow(type);
        bind(of, window, offset, length);
        return window;
    }

    private static void bind(Peer of, MemoryWindow window, long offset, long length) {
        of.queuePair().bind(77, window, of.buffer, offset, length, SIGNALED, READ_WRITE);
        assertThat(of.nextOk().opcode()).isEqualTo(WcOpcode.BIND_WINDOW);
    }

    // ---- windows --------------------------------------------------------------------------------------------------

    /** Each round lends a window, has it written to, and has it given back by a Send with Invalidate. */
    @Test
    void windowsAreLentAndGivenBackUnderTraffic() throws Exception {
        Peer server = direct();
        Peer client = direct();
        Peer other = direct();
        Peer.connect(other, server);
        server.closeFirst(server.connection());
        Peer.connect(client, server);
        Directly.untilDirect(client, server, Peer.remote(server));
        AtomicBoolean over = new AtomicBoolean();
        Background<Long> traffic = Background.start(() -> {
            long count = 0;
            for (; !over.get(); count++) {
                other.queuePair().fetchAdd(count, other.buffer, 0, Peer.remote(server), 0, 1, SIGNALED);
                other.nextOk();
            }
            return count;
        });
        MemoryWindow window = server.domain.memoryWindow(MemoryWindow.Type.TYPE_2);
        long before = Directly.executedInline(client);
        int rounds = 300;
        server.buffer.segment().set(JAVA_LONG, 0, 0);
        for (int round = 0; round < rounds; round++) {
            long at = 64 + 8L * round;
            server.queuePair().recv(round, server.buffer, 1 << 16, 8);
            bind(server, window, at, 8);
            RemoteBuffer lent = window.remote();
            client.buffer.segment().set(JAVA_LONG, 8, round);
            client.queuePair().write(1, client.buffer, 8, 8, lent, 0, SIGNALED);
            client.queuePair().sendWithInvalidate(2, client.buffer, 0, 8, lent.rkey(), SIGNALED);
            client.nextOk();
            client.nextOk();
            assertThat(server.nextOk().invalidatedRkey()).isEqualTo(lent.rkey());
            assertThat(server.buffer.segment().get(JAVA_LONG, at)).isEqualTo(round);
        }
        over.set(true);
        long added = traffic.get();

        assertThat(Directly.executedInline(client) - before).as("carried out").isGreaterThan(rounds / 2);
        assertThat(server.buffer.segment().get(JAVA_LONG, 0))
                .as("added")
                .isPositive()
                .isLessThanOrEqualTo(added);
        window.close();
    }

    @Test
    void whatWasGivenBackIsRefused() throws Exception {
        Peer server = direct();
        Peer client = direct();
        Peer.connect(client, server);
        MemoryWindow window = window(server, MemoryWindow.Type.TYPE_2, 64, 64);
        RemoteBuffer lent = window.remote();
        Directly.untilDirect(client, server, lent);
        server.queuePair().recv(1, server.buffer, 0, 8);
        client.queuePair().sendWithInvalidate(2, client.buffer, 0, 8, lent.rkey(), SIGNALED);
        client.nextOk();
        assertThat(server.nextOk().invalidatedRkey()).isEqualTo(lent.rkey());
        long before = Directly.executedInline(client);
        server.buffer.segment().set(JAVA_LONG, 64, 4711);

        client.queuePair().read(3, client.buffer, 8, 8, lent, 0, SIGNALED);

        assertThat(client.next().status()).isEqualTo(WcStatus.REMOTE_ACCESS_ERROR);
        assertThat(Directly.executedInline(client)).isEqualTo(before);
        window.close();
    }

    /** A window of type 2 is for the queue pair that it was bound on. */
    @Test
    void anotherQueuePairDoesNotReachWhatIsNotLentToIt() throws Exception {
        Peer server = direct();
        Peer one = direct();
        Peer other = direct();
        Peer.connect(other, server);
        server.closeFirst(server.connection());
        Directly.untilDirect(other, server, Peer.remote(server));
        Peer.connect(one, server);
        MemoryWindow window = window(server, MemoryWindow.Type.TYPE_2, 64, 64);
        Directly.untilDirect(one, server, window.remote());
        server.buffer.segment().set(JAVA_LONG, 64, 4711);

        other.queuePair().write(1, other.buffer, 0, 8, window.remote(), 0, SIGNALED);
        other.queuePair().read(2, other.buffer, 8, 8, Peer.remote(server), 0, SIGNALED);

        assertThat(Stream.of(other.next(), other.next()).map(WorkCompletion::ok))
                .contains(false);
        assertThat(server.buffer.segment().get(JAVA_LONG, 64)).isEqualTo(4711);
        window.close();
    }

    /** A buffer without remote rights is reached through windows alone, and directly. */
    @Test
    void memoryThatOnlyWindowsLendIsReached() throws Exception {
        Peer server = direct();
        Peer client = direct();
        Peer.connect(client, server);
        try (RegisteredBuffer kept = server.domain.allocate(4096, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND)) {
            MemoryWindow window = server.domain.memoryWindow(MemoryWindow.Type.TYPE_1);
            server.queuePair().bind(77, window, kept, 64, 64, SIGNALED, READ_WRITE);
            server.nextOk();
            Directly.untilDirect(client, server, window.remote());

            client.buffer.segment().set(JAVA_LONG, 0, 4711);
            client.queuePair().write(1, client.buffer, 0, 8, window.remote(), 8, SIGNALED);
            client.nextOk();

            assertThat(kept.segment().get(JAVA_LONG, 72)).isEqualTo(4711);
            window.close();
        }
    }

    /** How what a window lends is taken back. */
    enum End {
        INVALIDATED,
        UNBOUND,
        BOUND_ANEW,
        CLOSED,
        CLOSED_BENEATH
    }

    private static void begin(End end, Peer server, MemoryWindow window, RegisteredBuffer beneath) {
        switch (end) {
            case INVALIDATED -> server.queuePair().localInvalidate(5, window.rkey(), SIGNALED);
            case UNBOUND -> server.queuePair().bind(5, window, beneath, 0, 0, SIGNALED);
            case BOUND_ANEW -> server.queuePair().bind(5, window, beneath, 128, 64, SIGNALED, READ_WRITE);
            case CLOSED -> window.close();
            case CLOSED_BENEATH -> beneath.close();
        }
    }

    /** Waits for its end, of which nothing is seen before {@code leaves} has run. */
    private static void assertWaits(End end, Peer server, RegisteredBuffer beneath, MemoryWindow window, Leaving leaves)
            throws Exception {
        boolean posted = end.compareTo(End.CLOSED) < 0;
        if (!posted) {
            Background<Integer> closing = Background.start(() -> {
                begin(end, server, window, beneath);
                return 0;
            });
            closing.whenWaiting();
            leaves.leave();
            closing.get();
            return;
        }
        begin(end, server, window, beneath);
        WorkCompletions none = WorkCompletions.ofCapacity(1);
        for (int i = 0; i < 1000; i++) {
            assertThat(server.queue.poll(none)).isZero();
        }
        leaves.leave();
        assertThat(server.nextOk().wrId()).isEqualTo(5);
    }

    private interface Leaving {
        void leave() throws Exception;
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void whoIsInAWindowIsWaitedFor(End end) throws Exception {
        Peer server = direct();
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT);
                DirectPeer inside = new DirectPeer(listener.localAddress());
                RegisteredBuffer beneath = server.domain.allocate(4096, Peer.ALL)) {
            server.connected(accepted(server, listener));
            MemoryWindow window = server.domain.memoryWindow(MemoryWindow.Type.TYPE_2);
            server.queuePair().bind(77, window, beneath, 64, 64, SIGNALED, READ_WRITE);
            server.nextOk();
            inside.claimNewest(3);

            assertWaits(end, server, beneath, window, () -> inside.rings.reach().release());
            window.close();
        }
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void whoIsKilledInAWindowIsNotWaitedFor(End end) throws Exception {
        Peer server = direct();
        // The peer's death would end the stream that is to invalidate: another one's window is taken back.
        Peer other = direct();
        Peer.connect(other, server);
        server.closeFirst(server.connection());
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT);
                ChildProcess child = new ChildProcess(
                        DirectPeer.class, "" + listener.localAddress().getPort(), "3");
                Connection inside = accepted(server, listener);
                RegisteredBuffer beneath = server.domain.allocate(4096, Peer.ALL)) {
            assertThat(inside.isConnected()).isTrue();
            MemoryWindow window = server.domain.memoryWindow(MemoryWindow.Type.TYPE_2);
            server.queuePair().bind(77, window, beneath, 64, 64, SIGNALED, READ_WRITE);
            server.nextOk();
            child.value("claimed=");

            assertWaits(end, server, beneath, window, child::kill);
            window.close();
        }
    }

    private static Connection accepted(Peer server, Listener listener) {
        return listener.poll(Peer.soon())
                .orElseThrow()
                .accept(server.config(), ConnectionConfig.defaults(), Peer.soon());
    }

    // ---- others ---------------------------------------------------------------------------------------------------

    @Test
    void severalQueuePairsAddToOneWordByAllWays() throws Exception {
        Peer server = peer("shm.direct=on");
        List<Peer> near = List.of(direct(), direct());
        Peer far = peer("shm=off");
        int times = 2000;
        for (Peer each : List.of(near.get(0), near.get(1), far)) {
            Peer.connect(each, server);
            server.closeFirst(server.connection());
        }
        for (Peer each : near) {
            Directly.untilDirect(each, server, Peer.remote(server));
        }
        server.buffer.segment().set(JAVA_LONG, 0, 0);
        List<Background<Integer>> adders = new ArrayList<>();
        for (Peer each : List.of(near.get(0), near.get(1), far)) {
            adders.add(Background.start(() -> {
                for (int i = 0; i < times; i++) {
                    each.queuePair().fetchAdd(i, each.buffer, 0, Peer.remote(server), 0, 1, SIGNALED);
                    each.nextOk();
                }
                return times;
            }));
        }
        var target = server.buffer.atomicTarget(0);
        for (int i = 0; i < times; i++) {
            long seen;
            do {
                seen = target.getVolatile();
            } while (!target.compareAndSet(seen, seen + 1));
        }
        for (Background<Integer> adder : adders) {
            adder.get();
        }

        assertThat(target.getVolatile()).isEqualTo(4L * times);
        for (Peer each : near) {
            assertThat(Directly.executedInline(each)).isGreaterThan(times);
            assertThat(each.verbs.statistics().sendsDirect()).isEqualTo(Directly.executedInline(each));
        }
    }

    /** What this process starts has neither descriptors nor mappings of what is shared, and changes nothing. */
    @Test
    void aChildOfTheOwnerKeepsNothing() throws Exception {
        Peer server = direct();
        Peer client = direct();
        Peer.connect(client, server);
        Directly.untilDirect(client, server, Peer.remote(server));
        Process child = new ProcessBuilder("cat").start();
        try {
            assertThat(held(child.pid())).isEmpty();
            server.buffer.segment().set(JAVA_LONG, 800, 1);
            long before = Directly.executedInline(client);
            client.queuePair().fetchAdd(1, client.buffer, 8, Peer.remote(server), 800, 1, SIGNALED);
            client.nextOk();
            assertThat(server.buffer.segment().get(JAVA_LONG, 800)).isEqualTo(2);
            assertThat(Directly.executedInline(client)).isEqualTo(before + 1);

            server.connection().close();
            server.buffer.close();
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    private static List<String> held(long pid) throws IOException {
        List<String> all = new ArrayList<>();
        try (Stream<String> maps = Files.lines(Path.of("/proc/" + pid + "/maps"));
                Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            maps.filter(line -> line.contains("panama-verbs")).forEach(all::add);
            for (Path each : descriptors.toList()) {
                String target = Files.readSymbolicLink(each).toString();
                if (target.contains("panama-verbs") || target.startsWith("socket:")) {
                    all.add(target);
                }
            }
        }
        return all;
    }

    @Test
    void aSlabIsClosedWhileItsPeerHasItMapped() throws Exception {
        Peer server = direct();
        Peer client = direct();
        Peer.connect(client, server);
        MemorySlab slab = MemorySlab.shared("panama-verbs soon closed", 4096);
        RegisteredBuffer target = server.domain.register(slab.segment(), Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        RemoteBuffer remote = target.remote();
        Directly.untilDirect(client, server, remote);
        long before = Directly.executedInline(client);

        target.close();
        slab.close();

        client.queuePair().write(1, client.buffer, 0, 8, remote, 0, SIGNALED);
        client.queuePair().read(2, client.buffer, 8, 8, Peer.remote(server), 0, SIGNALED);
        assertThat(Stream.of(client.next(), client.next()).map(WorkCompletion::ok))
                .contains(false);
        assertThat(Directly.executedInline(client)).isEqualTo(before);
    }

    /** An owner that never polls makes no progress, and is reached all the same: nobody puts a probe in front. */
    @Test
    void anOwnerThatDoesNotLookIsReachedForAsLongAsOneLikes() throws Exception {
        Peer server = peer("shm=require", "shm.direct=on", "progress=spin");
        Peer client = peer("shm=require", "shm.direct=on", "progress=spin");
        Peer.connect(client, server);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LAST_PROBE_MILLIS + 100);
        Directly.untilDirect(client, server, Peer.remote(server));
        MemorySegment theirs = server.buffer.segment();
        long before = Directly.executedInline(client);

        long count = 0;
        while (System.nanoTime() - end < 0) {
            client.buffer.segment().set(JAVA_LONG, 0, ++count);
            client.queuePair().write(1, client.buffer, 0, 8, Peer.remote(server), 64, SIGNALED);
            assertThat(theirs.get(JAVA_LONG, 64)).isEqualTo(count);
            client.nextOk();
        }

        assertThat(Directly.executedInline(client) - before).isEqualTo(count);
    }

    /** A queue that never runs empty, and all of it done within posts: what the peer sends is received all the same. */
    @Test
    void whoAlwaysFindsCompletionsReceives() throws Exception {
        Peer server = peer("shm=require", "shm.direct=on", "progress=spin");
        Peer client = peer("shm=require", "shm.direct=on", "progress=spin");
        Peer.connect(client, server);
        RemoteBuffer remote = Peer.remote(server);
        Directly.untilDirect(client, server, remote);
        client.queuePair().recv(4711, client.buffer, 1 << 16, 8);
        server.queuePair().send(1, server.buffer, 0, 8, SIGNALED);
        server.nextOk();
        WorkCompletions one = WorkCompletions.ofCapacity(1);
        client.queuePair().write(1, client.buffer, 0, 8, remote, 0, SIGNALED);

        Raw.await("the message", () -> {
            client.queuePair().write(1, client.buffer, 0, 8, remote, 0, SIGNALED);
            assertThat(client.queue.poll(one)).isOne();
            return one.get(0).wrId() == 4711;
        });
    }

    // ---- processes that end ---------------------------------------------------------------------------------------

    /** What its owner has left is there until the connection is seen to be over: writing to it harms nobody. */
    @ParameterizedTest
    @ValueSource(strings = {"background", "spin"})
    void theDeathOfTheOwnerIsAReset(String progress) throws Exception {
        try (Peer peer = new Peer("shm=require", "shm.direct=on", "progress=" + progress);
                ChildProcess child =
                        new ChildProcess(SharedMemoryPeer.class, "0", "background", "sit", "shm.direct=on")) {
            int port = Integer.parseInt(child.value("port="));
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            peer.connected(peer.verbs.connect(address, peer.config(), ConnectionConfig.defaults(), Peer.soon()));
            RemoteBuffer remote = RemoteBuffer.decode(peer.connection().privateData());
            Raw.await("direct access", () -> {
                peer.queuePair().write(0, peer.buffer, 0, 4096, remote, 0, SIGNALED);
                peer.nextOk();
                return Directly.executedInline(peer) > 1000;
            });

            child.kill();

            Raw.await("the end", () -> {
                peer.queuePair().write(1, peer.buffer, 0, 4096, remote, 0, SIGNALED);
                return !peer.next().ok();
            });
        }
    }

    /** It may be in the middle of an access: what it was let into is taken away, and nobody waits for it. */
    @Test
    void theDeathOfWhoWritesHoldsNobodyUp() throws Exception {
        for (int round = 0; round < 2; round++) {
            try (Peer peer = new Peer("shm=require", "shm.direct=on");
                    Listener listener = peer.verbs.listen(Raw.ANY_PORT);
                    ChildProcess child = new ChildProcess(
                            SharedMemoryPeer.class,
                            "" + listener.localAddress().getPort(),
                            "background",
                            "write",
                            "shm.direct=on")) {
                ConnectionConfig config = ConnectionConfig.defaults()
                        .withPrivateData(Peer.remote(peer).encode());
                peer.connected(listener.accept(Peer.soon()).accept(peer.config(), config, Peer.soon()));
                Raw.await(
                        "bytes of the other process",
                        () -> (long) JAVA_LONG.varHandle().getAcquire(peer.buffer.segment(), 0L) > 2000);
                Background<Integer> killing = Background.start(() -> {
                    child.kill();
                    return 0;
                });

                peer.buffer.close();

                killing.get();
            }
        }
    }
}
