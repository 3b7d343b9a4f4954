package org.panamaverbs.bench.loopback.exchange;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** Operations of this side alone, of which a number is outstanding; the peer only polls. */
public final class OneSided implements Exchange {
    /** What a stream has outstanding. */
    static final int WINDOW = 16;

    private final Link link;
    private final QueuePair queuePair;
    private final RemoteBuffer remote;
    private final Operation operation;
    private final int window;
    private final Patience patience = new Patience();
    private final PeerThread peer;
    private int outstanding;

    /** The operation. */
    @FunctionalInterface
    private interface Operation {
        int post(QueuePair queuePair, RegisteredBuffer local, RemoteBuffer remote);
    }

    private OneSided(long bytes, String crc, int window, Operation operation) {
        this.operation = operation;
        this.window = window;
        link = Link.connect(bytes, crc);
        queuePair = link.here().ends().getFirst();
        remote = link.there().buffer().remote();
        Side there = link.there();
        peer = PeerThread.start(() -> there.poll() != 0);
    }

    /** Connects for Writes of {@code size} bytes, {@value #WINDOW} at once. */
    public static OneSided writes(int size, String crc) {
        return new OneSided(
                size,
                crc,
                WINDOW,
                (queuePair, local, remote) -> queuePair.write(1, local, 0, size, remote, 0, SIGNALED));
    }

    /** Connects for Reads of {@code size} bytes, {@value #WINDOW} at once. */
    public static OneSided reads(int size, String crc) {
        return reads(size, crc, WINDOW);
    }

    /** Connects for Reads of {@code size} bytes, one at a time. */
    public static OneSided singleReads(int size, String crc) {
        return reads(size, crc, 1);
    }

    private static OneSided reads(int size, String crc, int window) {
        return new OneSided(
                size,
                crc,
                window,
                (queuePair, local, remote) -> queuePair.read(1, local, 0, size, remote, 0, SIGNALED));
    }

    /** Connects for FetchAdds, one at a time. */
    public static OneSided fetchAdds() {
        return new OneSided(
                Long.BYTES,
                Link.CRC_ON,
                1,
                (queuePair, local, remote) -> queuePair.fetchAdd(1, local, 0, remote, 0, 1, SIGNALED));
    }

    /** Connects for CmpSwaps, one at a time, that never swap: what they compare with is not there. */
    public static OneSided cmpSwaps() {
        return new OneSided(
                Long.BYTES,
                Link.CRC_ON,
                1,
                (queuePair, local, remote) -> queuePair.cmpSwap(1, local, 0, remote, 0, -1, 1, SIGNALED));
    }

    /** Posts one operation, and waits until there is room for another; with one at a time, until it has completed. */
    @Override
    public void run() {
        PostStatus.check(operation.post(queuePair, link.here().buffer(), remote));
        outstanding++;
        patience.renew();
        while (outstanding == window) {
            int completed = link.here().pollSends();
            if (completed == 0) {
                patience.await(peer);
            }
            outstanding -= completed;
        }
    }

    @Override
    public void close() {
        peer.close();
        link.close();
    }
}
