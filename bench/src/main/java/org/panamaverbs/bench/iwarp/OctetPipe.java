package org.panamaverbs.bench.iwarp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Watch;

/**
 * One end of a connection within this process: what it writes lies in memory until the other end reads it. One copy in
 * and one out, as a socket has, and nothing else of it. Belongs to one thread.
 */
final class OctetPipe implements Transport, Pollable {
    /** The watch of a pipe: nobody waits for it. */
    static final Watch NO_WATCH = new NoWatch();

    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final int CAPACITY = 4 << 20;

    private final @Nullable ByteBuffer out;
    private final MemorySegment outMemory;
    private final @Nullable ByteBuffer in;
    private final MemorySegment inMemory;

    private OctetPipe(@Nullable ByteBuffer out, @Nullable ByteBuffer in) {
        this.out = out;
        this.in = in;
        outMemory = memory(out);
        inMemory = memory(in);
    }

    private static final class NoWatch implements Watch {
        @Override
        public int interest() {
            return 0;
        }

        @Override
        public void interest(int operations) {
            // Nobody waits.
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void cancel() {
            // Nobody waits.
        }

        @Override
        public Object attachment() {
            return this;
        }

        @Override
        public void attach(Object attachment) {
            // Nobody waits.
        }
    }

    // The whole of it: what lies behind the limit is not reached otherwise.
    private static MemorySegment memory(@Nullable ByteBuffer buffer) {
        return buffer == null
                ? MemorySegment.NULL
                : MemorySegment.ofBuffer(buffer.duplicate().clear());
    }

    /** Both ends of a connection whose bytes go one way. */
    record Ends(OctetPipe out, OctetPipe in) {}

    /** Makes a connection whose bytes go one way. */
    static Ends pair() {
        ByteBuffer octets = ByteBuffer.allocateDirect(CAPACITY);
        octets.flip();
        return new Ends(new OctetPipe(octets, null), new OctetPipe(null, octets));
    }

    /** Makes an end whose bytes are lost. */
    static OctetPipe drain() {
        return new OctetPipe(null, null);
    }

    @Override
    public Pollable channel() {
        return this;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {
        // Nothing is open.
    }

    @Override
    public boolean connect(InetSocketAddress peer) {
        return true;
    }

    @Override
    public boolean finishConnect() {
        return true;
    }

    @Override
    public void typeOfService(int octet) {
        // No byte is on a wire.
    }

    @Override
    public InetSocketAddress localAddress() {
        return ADDRESS;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return ADDRESS;
    }

    @Override
    public Transport carrier() {
        return this;
    }

    @Override
    public String lacking() {
        return "nothing";
    }

    @Override
    public @Nullable Transport another() {
        return null;
    }

    @Override
    public boolean hasWire() {
        return false;
    }

    @Override
    public int segmentBytes() {
        return MemoryPair.EMSS;
    }

    @Override
    public long unacknowledged() {
        return 0;
    }

    @Override
    public boolean discard() {
        return false;
    }

    @Override
    public TerminateReason lost(IOException failure) {
        return TerminateReason.MPA_CONNECTION_LOST;
    }

    @Override
    public Carrier kind() {
        return Carrier.SHARED_MEMORY;
    }

    @Override
    public String text() {
        return "a pipe in memory";
    }

    @Override
    public int open(Runnable again) {
        return OPEN;
    }

    @Override
    public void established() {
        // Nothing changes.
    }

    @Override
    public long read(IoVector into) {
        into.begin();
        ByteBuffer from = in;
        if (from == null) {
            return 0;
        }
        long octets = 0;
        for (int i = into.first(); i < into.end() && from.hasRemaining(); i++) {
            ByteBuffer buffer = into.buffer(i);
            int some = Math.min(buffer.remaining(), from.remaining());
            MemorySegment.copy(inMemory, from.position(), MemorySegment.ofBuffer(buffer), 0, some);
            from.position(from.position() + some);
            octets += some;
        }
        into.advance(into.first(), octets);
        if (!from.hasRemaining()) {
            from.limit(0).position(0);
        }
        return octets;
    }

    @Override
    public int await(int wanted, boolean polled) {
        return 0;
    }

    @Override
    public void ready() {
        // Nobody waits.
    }

    @Override
    public void write(IoVector from) {
        ByteBuffer to = out;
        for (int i = from.first(); i < from.end(); i++) {
            int some = from.buffer(i).remaining();
            if (to != null) {
                int at = to.limit();
                to.limit(at + some);
                MemorySegment.copy(MemorySegment.ofBuffer(from.buffer(i)), 0, outMemory, at, some);
            }
            from.advance(i, some);
        }
    }

    @Override
    public boolean flush() {
        return true;
    }

    @Override
    public boolean isBlocked() {
        return false;
    }

    @Override
    public boolean shutdownOutput() {
        return true;
    }

    @Override
    public void close(boolean reset) {
        // Nothing is open.
    }

    @Override
    public @Nullable SSLSession session() {
        return null;
    }
}
