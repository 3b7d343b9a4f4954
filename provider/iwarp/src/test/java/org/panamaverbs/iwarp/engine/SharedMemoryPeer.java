package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * The other process of {@link SharedMemoryProcessTest}: connects or listens, then writes or sits until it is killed.
 */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
final class SharedMemoryPeer {
    private static final int DEPTH = 16;
    private static final int BYTES = 4096;

    private SharedMemoryPeer() {}

    /** Takes the port to connect to, 0 to listen; the progress mode; {@code write} or {@code sit}; more options. */
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        List<String> options = new ArrayList<>(List.of("progress=" + arguments[1], "shm=require"));
        options.addAll(List.of(arguments).subList(3, arguments.length));
        try (Peer peer = new Peer(options.toArray(String[]::new))) {
            ConnectionConfig config = ConnectionConfig.defaults()
                    .withPrivateData(Peer.remote(peer).encode());
            if (port == 0) {
                try (var listener = peer.verbs.listen(Raw.ANY_PORT)) {
                    System.out.println("port=" + listener.localAddress().getPort());
                    ConnectionRequest request = listener.accept(Peer.soon());
                    peer.connected(request.accept(peer.config(), config, Peer.soon()));
                }
            } else {
                InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
                peer.connected(peer.verbs.connect(address, peer.config(), config, Peer.soon()));
            }
            System.out.println("transport=" + peer.connection().transport());
            if (arguments[2].equals("write")) {
                write(peer);
            }
            System.in.read();
        }
    }

    private static void write(Peer peer) {
        RemoteBuffer remote = RemoteBuffer.decode(peer.connection().privateData());
        WorkCompletions completions = WorkCompletions.ofCapacity(DEPTH);
        int free = DEPTH;
        long count = 0;
        while (peer.connection().isConnected()) {
            for (; free > 0; free--) {
                peer.buffer.segment().set(ValueLayout.JAVA_LONG, 0, ++count);
                peer.queuePair().write(count, peer.buffer, 0, BYTES, remote, 0, SendFlag.SIGNALED);
            }
            free += peer.queue.poll(completions);
        }
    }
}
