package org.panamaverbs.bench.loopback.exchange;

import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.memory.RemoteBuffer;

/** A message there that consumes a receive, and one back: a Send, or a Write with Immediate Data. */
public final class MessagePingPong implements Exchange {
    private final Link link;
    private final MessageEnd here;
    private final Patience patience = new Patience();
    private final PeerThread peer;

    /** An end that writes, with Immediate Data. */
    private static final class WithImmediate extends MessageEnd {
        private final RemoteBuffer remote;

        WithImmediate(Side side, QueuePair queuePair, RemoteBuffer remote, int size) {
            super(side, queuePair, size);
            this.remote = remote;
        }

        @Override
        public void send() {
            PostStatus.check(
                    queuePair.writeWithImmediate(SENT, side.buffer(), 0, size, remote, half, 7, SendFlag.SIGNALED));
        }
    }

    private MessagePingPong(Link link, MessageEnd here, MessageEnd there) {
        this.link = link;
        this.here = here;
        peer = PeerThread.start(there::answer);
    }

    /** Connects over TCP for Sends of {@code size} bytes. */
    public static MessagePingPong sends(int size, String crc) {
        return sends(size, Link.overTcp(crc));
    }

    /** Connects for Sends of {@code size} bytes, with options that have threads spin. */
    public static MessagePingPong sends(int size, OpenConfig config) {
        Link link = Link.connect(2L * size, config);
        return new MessagePingPong(
                link,
                new MessageEnd(link.here(), link.queuePairHere(), size),
                new MessageEnd(link.there(), link.queuePairThere(), size));
    }

    /** Connects over TCP for Writes of {@code size} bytes with Immediate Data. */
    public static MessagePingPong writesWithImmediate(int size, String crc) {
        Link link = Link.connect(2L * size, Link.overTcp(crc));
        return new MessagePingPong(
                link,
                new WithImmediate(link.here(), link.queuePairHere(), link.memoryThere(), size),
                new WithImmediate(link.there(), link.queuePairThere(), link.memoryHere(), size));
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
