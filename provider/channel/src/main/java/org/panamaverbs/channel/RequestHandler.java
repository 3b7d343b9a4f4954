package org.panamaverbs.channel;

import java.lang.foreign.MemorySegment;

/** Takes the requests that a {@link Responder} finds, on the thread that polls. */
@FunctionalInterface
public interface RequestHandler {
    /**
     * Takes one request. It may be answered here or later, in any order, or not at all, by {@link Responder#offer} or
     * {@link Responder#tryClaim}. Memory and failures are as those of {@link MessageHandler#onMessage}.
     *
     * @param channel the channel of the request
     * @param id names the request in the answer
     * @param memory where the request lies, read-only
     * @param offset its first byte in {@code memory}, a multiple of 8
     * @param length its length in bytes, from 0
     */
    void onRequest(Channel channel, long id, MemorySegment memory, long offset, int length);
}
