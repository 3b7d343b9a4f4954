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
     * <p>A peer that breaks the protocol of a {@link Way#RING} can change the bytes while they are read: a program that
     * does not trust its peer copies them first.
     *
     * @param channel the channel of the message
     * @param memory where the message lies, read-only; the same object for most messages of a channel
     * @param offset its first byte in {@code memory}, a multiple of 8
     * @param length its length in bytes, from 0
     */
    void onMessage(Channel channel, MemorySegment memory, long offset, int length);
}
