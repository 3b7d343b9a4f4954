package org.panamaverbs.bench.loopback.exchange;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.memory.AtomicTarget;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * Sends to a peer that receives and says by RDMA Write how many it has received, since iWARP ends the stream of a peer
 * that sends where nothing receives.
 */
public final class SendStream implements Exchange {
    /** How many Sends a batch has, and how many are outstanding. */
    public static final int WINDOW = 16;

    private static final long SENT = 1;
    private static final long RECEIVED = 2;
    private static final int CREDIT_BYTES = 8;
    private static final int RECEIVES = Side.DEPTH;
    // Of two batches one may be on its way while the other is posted.
    private static final int UNRECEIVED = 4 * WINDOW;

    private final Link link;
    private final int size;
    private final boolean batched;
    private final QueuePair queuePair;
    private final AtomicTarget credit;
    private final Receiver receiver;
    private final Patience patience = new Patience();
    private final PeerThread peer;
    private long sent;
    private long completed;

    /** The peer: receives, and tells how many. */
    private static final class Receiver {
        private final Side side;
        private final QueuePair queuePair;
        private final RemoteBuffer sender;
        private final AtomicTarget count;
        private final int size;
        private long received;
        private long told;
        private boolean telling;

        Receiver(Link link, int size) {
            this.size = size;
            side = link.there();
            queuePair = link.there().ends().getFirst();
            sender = link.here().buffer().remote();
            count = side.buffer().atomicTarget(0);
            for (int i = 0; i < RECEIVES; i++) {
                side.receive(queuePair, RECEIVED, CREDIT_BYTES, size);
            }
        }

        boolean work() {
            int completions = side.poll();
            for (int i = 0; i < completions; i++) {
                if (side.completion(i).wrId() == RECEIVED) {
                    side.receive(queuePair, RECEIVED, CREDIT_BYTES, size);
                    received++;
                } else {
                    telling = false;
                }
            }
            if (received - told >= WINDOW && !telling) {
                count.setRelease(received);
                PostStatus.check(queuePair.write(SENT, side.buffer(), 0, CREDIT_BYTES, sender, 0, SIGNALED));
                told = received;
                telling = true;
            }
            return completions != 0;
        }
    }

    private SendStream(int size, String crc, boolean batched) {
        this.size = size;
        this.batched = batched;
        link = Link.connect((long) CREDIT_BYTES + size, crc);
        queuePair = link.here().ends().getFirst();
        credit = link.here().buffer().atomicTarget(0);
        receiver = new Receiver(link, size);
        peer = PeerThread.start(receiver::work);
    }

    /** Connects for Sends of {@code size} bytes, each posted alone. */
    public static SendStream single(int size, String crc) {
        return new SendStream(size, crc, false);
    }

    /** Connects for Sends of {@code size} bytes, posted {@value #WINDOW} at a time with one doorbell. */
    public static SendStream batched(int size, String crc) {
        return new SendStream(size, crc, true);
    }

    /** Sends once, or one batch; waits for room before. */
    @Override
    public void run() {
        int count = batched ? WINDOW : 1;
        patience.renew();
        while (sent - completed >= WINDOW || sent + count - credit.getAcquire() > UNRECEIVED) {
            int completions = link.here().pollSends();
            if (completions == 0) {
                patience.await(peer);
            }
            completed += completions;
        }
        if (batched) {
            postBatch();
        } else {
            PostStatus.check(queuePair.send(SENT, link.here().buffer(), CREDIT_BYTES, size, SIGNALED));
        }
        sent += count;
    }

    private void postBatch() {
        Batch batch = queuePair.batch();
        for (int i = 0; i < WINDOW; i++) {
            PostStatus.check(batch.send(SENT, link.here().buffer(), CREDIT_BYTES, size, SIGNALED));
        }
        batch.submitAll();
    }

    @Override
    public void close() {
        peer.close();
        link.close();
    }
}
