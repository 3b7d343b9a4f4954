package org.panamaverbs.channel;

import java.lang.foreign.MemorySegment;

/** Takes messages, on the thread that polls. */
@FunctionalInterface
public interface MessageHandler {
    /**
     * Takes one message. Its memory is the channel's again when this returns, unless {@link Subscriber#keep} was called
     * meanwhile. If this throws, the message counts as taken, and the exception reaches the caller of the poll. The
     * handler may publish, also on this channel, and close the channel; it must not poll or disconnect it.
     *
     * <p>A peer that breaks the protocol can change the bytes of a message in a ring while they are read: of all with
     * {@link Way#RING}, of those longer than a receive with {@link Way#SENDS}. A program that does not trust its peer
     * copies them first.
     *
     * @param channel the channel of the message
     * @param memory where the message lies, read-only; the same object for most messages of a channel
     * @param offset its first byte in {@code memory}, a multiple of 8
     * @param length its length in bytes, from 0
     */
    void onMessage(Channel channel, MemorySegment memory, long offset, int length);
}
