package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.engine.device.Path;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;

/** What transports over a TCP socket have in common: all but the bytes. */
abstract class SocketTransport implements Transport {
    private static final int WASTE_BYTES = 4096;
    private static final int READS_A_TIME = 16;

    /** The socket, for bytes. */
    protected final TcpSocket socket;

    private final String sockets;

    /**
     * Makes a transport over {@code socket}; {@code sockets} is the clause of {@link #text} that says how TCP is
     * reached.
     */
    protected SocketTransport(TcpSocket socket, String sockets) {
        this.socket = socket;
        this.sockets = sockets;
    }

    @Override
    public Pollable channel() {
        return socket;
    }

    @Override
    public final boolean connect(InetSocketAddress peer) throws IOException {
        return socket.connect(peer);
    }

    @Override
    public final boolean finishConnect() throws IOException {
        return socket.finishConnect();
    }

    @Override
    public final void typeOfService(int octet) throws IOException {
        socket.typeOfService(octet);
    }

    @Override
    public final InetSocketAddress localAddress() throws IOException {
        return socket.localAddress();
    }

    @Override
    public final InetSocketAddress remoteAddress() throws IOException {
        return socket.remoteAddress();
    }

    /** Tells whether the addresses of the socket, which is connected, may be those of two sides on one host. */
    protected final boolean isPeerHere() throws IOException {
        InetAddress there = socket.remoteAddress().getAddress();
        InetAddress here = socket.localAddress().getAddress();
        return there.equals(here) || (there.isLoopbackAddress() && here.isLoopbackAddress());
    }

    @Override
    public Transport carrier() {
        return this;
    }

    @Override
    public @Nullable Transport another() {
        return null;
    }

    @Override
    public String lacking() {
        return "sent no MPA Request";
    }

    @Override
    public int await(int wanted, boolean polled) {
        return polled ? wanted & ~Watch.READ : wanted;
    }

    @Override
    public void ready() {
        // It is ready until what it has is taken.
    }

    @Override
    public boolean hasWire() {
        return true;
    }

    @Override
    public int segmentBytes() throws IOException {
        return Path.segmentBytes(
                socket.localAddress().getAddress(), socket.remoteAddress().getAddress(), socket.segmentBytes());
    }

    @Override
    public long unacknowledged() throws IOException {
        return socket.unacknowledged();
    }

    @Override
    public boolean discard() throws IOException {
        ByteBuffer waste = ByteBuffer.allocate(WASTE_BYTES);
        int octets = 1;
        for (int i = 0; i < READS_A_TIME && octets > 0; i++) {
            octets = socket.read(waste.clear());
        }
        return octets < 0;
    }

    @Override
    public TerminateReason lost(IOException failure) {
        return SocketErrors.lost(failure);
    }

    @Override
    public Carrier kind() {
        return Carrier.TCP;
    }

    @Override
    public String text() {
        return sockets;
    }
}
