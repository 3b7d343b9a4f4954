package org.panamaverbs.bench.loopback.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The floor of bandwidth: one thread writes all the time, the other reads and forgets. */
public final class TcpStream implements Exchange {
    private static final int LARGEST_READ = 1 << 18;

    private final TcpPair sockets;
    private final boolean reading;
    private final ByteBuffer mine;
    private final ByteBuffer theirs;
    private final Patience patience = new Patience();
    private final PeerThread peer;

    private TcpStream(int mineBytes, int theirBytes, boolean reading) throws IOException {
        this.reading = reading;
        sockets = TcpPair.connect();
        mine = ByteBuffer.allocateDirect(mineBytes);
        theirs = ByteBuffer.allocateDirect(theirBytes);
        peer = PeerThread.start(reading ? this::write : this::read);
    }

    /** Connects for writes of {@code size} bytes. */
    public static TcpStream writes(int size) throws IOException {
        return new TcpStream(size, Math.max(size, LARGEST_READ), false);
    }

    /** Connects for reads of {@code size} bytes, of what the peer writes {@code size} at a time. */
    public static TcpStream reads(int size) throws IOException {
        return new TcpStream(size, size, true);
    }

    private boolean read() throws IOException {
        return TcpPair.read(sockets.there(), theirs.clear()) != 0;
    }

    private boolean write() throws IOException {
        if (!theirs.hasRemaining()) {
            theirs.clear();
        }
        return sockets.there().write(theirs) != 0;
    }

    @Override
    public void run() throws IOException {
        SocketChannel socket = sockets.here();
        mine.clear();
        patience.renew();
        while (mine.hasRemaining()) {
            if ((reading ? TcpPair.read(socket, mine) : socket.write(mine)) == 0) {
                patience.await(peer);
            }
        }
    }

    @Override
    public void close() throws IOException {
        peer.close();
        sockets.close();
    }
}
