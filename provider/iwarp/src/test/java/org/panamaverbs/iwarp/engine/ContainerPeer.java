package org.panamaverbs.iwarp.engine;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.RemoteBuffer;

/** One process of {@link ContainersTest}: connects or listens, says how it is connected, and does what it is told. */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
final class ContainerPeer {
    private static final int[] SIZES = {1, 64, 4096, 65_537, Peer.BUFFER_BYTES / 2};
    private static final int HALF = Peer.BUFFER_BYTES / 2;
    private static final int COUNTER = 8;
    private static final int DEPTH = 16;
    private static final int BYTES = 4096;

    private ContainerPeer() {}

    /**
     * Takes the address; the port to connect to, 0 to listen; what is to be done; and options of the context.
     *
     * <p>To be done is {@code talk}: all operations, with the data checked, and an orderly end; {@code reject};
     * {@code write} without end, until the peer is gone; or {@code sit} until then.
     */
    public static void main(String[] arguments) throws IOException {
        InetAddress address = InetAddress.getByName(arguments[0]);
        int port = Integer.parseInt(arguments[1]);
        String what = arguments[2];
        String[] options = List.of(arguments).subList(3, arguments.length).toArray(String[]::new);
        try (Peer peer = new Peer(options)) {
            List<String> before = SharedMemoryProcessTest.leftovers();
            if (port == 0) {
                listen(peer, address, what);
            } else {
                connect(peer, new InetSocketAddress(address, port), what);
            }
            List<String> after = new ArrayList<>(SharedMemoryProcessTest.leftovers());
            // The domain is open, and keeps the table that it made when the peer asked for it: mapped to be written, as
            // no peer's is, and a descriptor.
            removeOne(after, line -> line.contains(" rw-s ") && line.contains("panama-verbs table"));
            removeOne(after, line -> line.equals("/memfd:panama-verbs table (deleted)"));
            System.out.println("left=" + (after.equals(before) ? "nothing" : after));
        }
    }

    private static ConnectionConfig config(Peer peer) {
        return ConnectionConfig.defaults()
                .withPrivateData(Peer.remote(peer).encode())
                .withDepths(4, 4);
    }

    private static void removeOne(List<String> lines, Predicate<String> which) {
        lines.stream().filter(which).findFirst().ifPresent(lines::remove);
    }

    private static void listen(Peer peer, InetAddress address, String what) throws IOException {
        try (Listener listener = peer.verbs.listen(new InetSocketAddress(address, 0))) {
            System.out.println("port=" + listener.localAddress().getPort());
            ConnectionRequest request = listener.accept(Peer.soon());
            if (what.equals("reject")) {
                request.reject("not today".getBytes(StandardCharsets.US_ASCII));
                return;
            }
            var queuePair = peer.domain.queuePair(peer.config());
            peer.closeFirst(queuePair);
            // Where the first message is to go.
            PostStatus.check(queuePair.recv(0, peer.buffer, HALF, BYTES));
            peer.connected(request.accept(queuePair, config(peer), Peer.soon()));
        }
        System.out.println("transport=" + peer.connection().transport());
        if (what.equals("talk")) {
            answer(peer);
        } else {
            untilTheEnd(peer, what);
        }
    }

    private static void connect(Peer peer, InetSocketAddress to, String what) {
        try {
            peer.connected(peer.verbs.connect(to, peer.config(), config(peer), Peer.soon()));
        } catch (ConnectionException e) {
            System.out.println("refused=" + e.reason() + " " + e.getMessage());
            return;
        }
        System.out.println("transport=" + peer.connection().transport());
        if (what.equals("talk")) {
            talk(peer);
        } else {
            untilTheEnd(peer, what);
        }
    }

    // ---- all operations -------------------------------------------------------------------------------------------

    /** Writes and reads back each size, adds to the peer's counter, sends a message, and is sent it back. */
    private static void talk(Peer peer) {
        RemoteBuffer remote = RemoteBuffer.decode(peer.connection().privateData());
        MemorySegment mine = peer.buffer.segment();
        Random random = new Random(1);
        var queuePair = peer.queuePair();
        for (int size : SIZES) {
            byte[] octets = new byte[size];
            random.nextBytes(octets);
            MemorySegment.copy(octets, 0, mine, ValueLayout.JAVA_BYTE, 0, size);
            PostStatus.check(queuePair.write(1, peer.buffer, 0, size, remote, 0, SIGNALED));
            peer.nextOk();
            PostStatus.check(queuePair.read(2, peer.buffer, HALF, size, remote, 0, SIGNALED));
            peer.nextOk();
            check("what was read back", mine.asSlice(HALF, size).mismatch(MemorySegment.ofArray(octets)) < 0);
        }
        for (long i = 0; i < 100; i++) {
            PostStatus.check(
                    queuePair.fetchAdd(3, peer.buffer, COUNTER, remote, Peer.BUFFER_BYTES - COUNTER, 1, SIGNALED));
            peer.nextOk();
            check("the counter", mine.get(ValueLayout.JAVA_LONG, COUNTER) == i);
        }
        PostStatus.check(queuePair.recv(4, peer.buffer, HALF, BYTES));
        PostStatus.check(queuePair.send(5, peer.buffer, 0, BYTES, SIGNALED));
        long first = peer.nextOk().wrId();
        check("a send and a receive", first + peer.nextOk().wrId() == 9);
        check("the message that came back", mine.asSlice(0, BYTES).mismatch(mine.asSlice(HALF, BYTES)) < 0);
        peer.connection().disconnect(Peer.soon());
        System.out.println("done=ok");
        peer.connection().close();
    }

    /** Sends the message back. */
    private static void answer(Peer peer) {
        peer.nextOk();
        PostStatus.check(peer.queuePair().send(1, peer.buffer, HALF, BYTES, SIGNALED));
        peer.nextOk();
        peer.connection().awaitDisconnect(Peer.soon());
        System.out.println("done=ok");
        peer.connection().close();
    }

    private static void check(String what, boolean holds) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    // ---- until the peer is killed ---------------------------------------------------------------------------------

    private static void untilTheEnd(Peer peer, String what) {
        RemoteBuffer remote = RemoteBuffer.decode(peer.connection().privateData());
        WorkCompletions completions = WorkCompletions.ofCapacity(DEPTH);
        int free = DEPTH;
        long count = 0;
        boolean said = false;
        while (peer.connection().isConnected()) {
            for (; free > 0 && what.equals("write"); free--) {
                peer.queuePair().write(++count, peer.buffer, 0, BYTES, remote, 0, SendFlag.SIGNALED);
            }
            free += peer.queue.poll(completions);
            if (!said && (count > 1000 || what.equals("sit"))) {
                System.out.println("going");
                said = true;
            }
        }
        System.out.println(
                "ended=" + peer.connection().terminateCause().orElseThrow().reason());
        peer.connection().close();
    }
}
