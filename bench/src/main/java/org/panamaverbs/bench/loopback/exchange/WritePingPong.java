package org.panamaverbs.bench.loopback.exchange;

import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.memory.AtomicTarget;
import org.panamaverbs.memory.RemoteBuffer;

/** An RDMA Write there, and one back: each side looks at the last eight bytes of its memory. */
public final class WritePingPong implements Exchange {
    private final Link link;
    private final End here;
    private final End there;
    private final Patience patience = new Patience();
    private final PeerThread peer;
    private long sequence;
    private long answered;

    /** What one side sends, and where it looks. */
    private static final class End {
        private final Side side;
        private final QueuePair queuePair;
        private final RemoteBuffer remote;
        private final AtomicTarget lastSent;
        private final AtomicTarget lastReceived;
        private final int size;
        private final long half;

        End(Side side, RemoteBuffer remote, int size) {
            this.side = side;
            queuePair = side.ends().getFirst();
            this.remote = remote;
            this.size = size;
            half = remote.length() / 2;
            lastSent = side.buffer().atomicTarget(size - (long) Long.BYTES);
            lastReceived = side.buffer().atomicTarget(half + size - Long.BYTES);
        }

        void write(long sequence) {
            lastSent.setRelease(sequence);
            PostStatus.check(queuePair.write(sequence, side.buffer(), 0, size, remote, half, SendFlag.SIGNALED));
        }

        boolean has(long sequence) {
            side.pollSends();
            return lastReceived.getAcquire() == sequence;
        }
    }

    /** Connects over TCP for Writes of {@code size} bytes, a multiple of 8. */
    public WritePingPong(int size, String crc) {
        this(size, Link.overTcp(crc));
    }

    /** Connects for Writes of {@code size} bytes, a multiple of 8, with options that have threads spin. */
    public WritePingPong(int size, OpenConfig config) {
        link = Link.connect(2L * size, config);
        here = new End(link.here(), link.there().buffer().remote(), size);
        there = new End(link.there(), link.here().buffer().remote(), size);
        peer = PeerThread.start(this::answer);
    }

    private boolean answer() {
        if (!there.has(answered + 1)) {
            return false;
        }
        there.write(++answered);
        return true;
    }

    @Override
    public void run() {
        here.write(++sequence);
        patience.renew();
        while (!here.has(sequence)) {
            patience.await(peer);
        }
    }

    @Override
    public void close() {
        peer.close();
        link.close();
    }
}
