package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.SplittableRandom;
import org.panamaverbs.iwarp.core.BufferPool;
import org.panamaverbs.iwarp.core.CompletionSink;
import org.panamaverbs.iwarp.core.ReceiveRing;
import org.panamaverbs.iwarp.core.Stream;
import org.panamaverbs.iwarp.core.StreamConfig;
import org.panamaverbs.iwarp.core.StreamListener;
import org.panamaverbs.iwarp.core.StreamQueues;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.memory.Access;

/**
 * A stream without CRC that nobody drives yet, memory to be read, and a socket to a peer that does as a test pleases.
 */
final class RawStream implements AutoCloseable {
    static final int MEMORY_BYTES = 16 << 20;
    static final int DEPTH = 16;
    static final Negotiated AGREED =
            Negotiated.builder(false).depths(DEPTH).emss(65_000).build();

    private static final int DOMAIN = 1;
    private static final CompletionSink NOWHERE =
            (wrId, status, opcode, qpNumber, byteCount, flags, immediateOrStag, vendorError) -> 0;

    final Arena arena = Arena.ofShared();
    final Stream stream;
    final Region region;
    final TcpSocket near;
    final SocketChannel far;

    RawStream(StreamListener listener) throws IOException {
        StagTable stags = new StagTable(DEPTH, new SplittableRandom(1)::nextInt);
        int rights = Access.mask(Access.REMOTE_READ);
        region = Objects.requireNonNull(stags.enable(arena.allocate(MEMORY_BYTES, 8), 0, rights, DOMAIN));
        StreamConfig config = StreamConfig.builder()
                .qpNumber(7)
                .domainId(DOMAIN)
                .maxSendWr(DEPTH)
                .lingerNanos(1_000_000_000L)
                .build();
        ReceiveRing none = new ReceiveRing(0, 1);
        stream = new Stream(config, stags, new BufferPool(16), StreamQueues.withOwn(NOWHERE, NOWHERE, none), listener);
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            near = SystemSockets.best().open(false);
            near.connect((InetSocketAddress) server.getLocalAddress());
            far = server.accept();
            if (!near.finishConnect()) {
                throw new IOException("accepted, and not connected");
            }
        }
    }

    @Override
    public void close() throws IOException {
        near.close();
        far.close();
        arena.close();
    }
}
