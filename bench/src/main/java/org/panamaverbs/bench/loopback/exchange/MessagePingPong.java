package org.panamaverbs.bench.loopback.exchange;

import org.panamaverbs.api.OpenConfig;
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

        WithImmediate(Side side, RemoteBuffer remote, int size) {
            super(side, 0, size);
            this.remote = remote;
        }

        @Override
        int post(QueuePair queuePair, int index) {
            return queuePair.writeWithImmediate(
                    SENT, side.buffer(), place(index), size, remote, place(index) + size, 7, SendFlag.SIGNALED);
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
        return sends(Link.connect(MessageEnd.bytes(1, size), config), 0, size);
    }

    /**
     * Connects {@code idle} and then {@code active} times over TCP, for Sends of 64 bytes on one active connection
     * after the other; the idle ones share all there is.
     */
    public static MessagePingPong among(int idle, int active, String progress) {
        OpenConfig config = OpenConfig.provider("iwarp").with("shm", "off").with("progress", progress);
        Link link = Link.connect(
                config,
                idle + active,
                MessageEnd.DEPTH,
                MessageEnd.completions(active),
                MessageEnd.bytes(active, End.MESSAGE_BYTES));
        return sends(link, idle, End.MESSAGE_BYTES);
    }

    private static MessagePingPong sends(Link link, int idle, int size) {
        return new MessagePingPong(
                link, new MessageEnd(link.here(), idle, size), new MessageEnd(link.there(), idle, size));
    }

    /** Connects over TCP for Writes of {@code size} bytes with Immediate Data. */
    public static MessagePingPong writesWithImmediate(int size, String crc) {
        Link link = Link.connect(MessageEnd.bytes(1, size), crc);
        return new MessagePingPong(
                link,
                new WithImmediate(link.here(), link.there().buffer().remote(), size),
                new WithImmediate(link.there(), link.here().buffer().remote(), size));
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
