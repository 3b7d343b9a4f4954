package org.panamaverbs.bench.loopback.exchange;

import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.memory.RemoteBuffer;

/** A message there that consumes a receive, and one back: a Send, or a Write with Immediate Data. */
public final class MessagePingPong implements Exchange {
    private static final long SENT = 1;
    private static final long RECEIVED = 2;
    private static final int RECEIVES = 4;

    private final Link link;
    private final End here;
    private final End there;
    private final Patience patience = new Patience();
    private final PeerThread peer;

    /** What one side sends and receives. */
    private static final class End {
        private final Side side;
        private final QueuePair queuePair;
        private final RemoteBuffer remote;
        private final boolean immediate;
        private final int size;
        private final long half;

        End(Side side, QueuePair queuePair, RemoteBuffer remote, int size, boolean immediate) {
            this.side = side;
            this.queuePair = queuePair;
            this.remote = remote;
            this.size = size;
            this.immediate = immediate;
            half = remote.length() / 2;
            for (int i = 0; i < RECEIVES; i++) {
                side.receive(queuePair, RECEIVED, half, size);
            }
        }

        void send() {
            int status = immediate
                    ? queuePair.writeWithImmediate(SENT, side.buffer(), 0, size, remote, half, 7, SendFlag.SIGNALED)
                    : queuePair.send(SENT, side.buffer(), 0, size, SendFlag.SIGNALED);
            PostStatus.check(status);
        }

        boolean hasReceived() {
            boolean received = false;
            int count = side.poll();
            for (int i = 0; i < count; i++) {
                if (side.completion(i).wrId() == RECEIVED) {
                    side.receive(queuePair, RECEIVED, half, size);
                    received = true;
                }
            }
            return received;
        }
    }

    private MessagePingPong(int size, OpenConfig config, boolean immediate) {
        link = Link.connect(2L * size, config);
        here = new End(link.here(), link.queuePairHere(), link.memoryThere(), size, immediate);
        there = new End(link.there(), link.queuePairThere(), link.memoryHere(), size, immediate);
        peer = PeerThread.start(this::answer);
    }

    /** Connects over TCP for Sends of {@code size} octets. */
    public static MessagePingPong sends(int size, String crc) {
        return sends(size, Link.overTcp(crc));
    }

    /** Connects for Sends of {@code size} octets, with options that have threads spin. */
    public static MessagePingPong sends(int size, OpenConfig config) {
        return new MessagePingPong(size, config, false);
    }

    /** Connects over TCP for Writes of {@code size} octets with Immediate Data. */
    public static MessagePingPong writesWithImmediate(int size, String crc) {
        return new MessagePingPong(size, Link.overTcp(crc), true);
    }

    private boolean answer() {
        if (!there.hasReceived()) {
            return false;
        }
        there.send();
        return true;
    }

    @Override
    public void run() {
        here.send();
        patience.renew();
        while (!here.hasReceived()) {
            patience.await(peer);
        }
    }

    @Override
    public void close() {
        peer.close();
        link.close();
    }
}
