package org.panamaverbs.channel;

import java.lang.foreign.MemorySegment;

/** Takes what becomes of the requests of a {@link Requester}, on the thread that polls: one call for each request. */
public interface ResponseHandler {
    /**
     * Takes one response. Memory and failures are as those of {@link MessageHandler#onMessage}; it may request more.
     *
     * @param channel the channel of the request
     * @param id what {@link Requester#offer} or {@link Requester#tryClaim} returned
     * @param memory where the response lies, read-only
     * @param offset its first byte in {@code memory}, a multiple of 8
     * @param length its length in bytes, from 0
     */
    void onResponse(Channel channel, long id, MemorySegment memory, long offset, int length);

    /**
     * Learns that a request has no response: its deadline has passed, or its channel was lost, ended or closed, as
     * {@link Channel#state} says. The peer may have taken the request. It may request more.
     *
     * @param channel the channel of the request
     * @param id what {@link Requester#offer} or {@link Requester#tryClaim} returned
     */
    void onNoResponse(Channel channel, long id);
}
