package org.panamaverbs.channel;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.panamaverbs.api.CheckReturnValue;

/**
 * The answering side of a {@link Requester}, on any number of channels: pass it to a poll. Allocates nothing.
 *
 * <pre>{@code
 * var responder = Responder.of((channel, id, memory, offset, length) -> {
 *     long result = Responder.offer(channel, id, memory, offset, length); // an echo
 *     if (result < 0) {
 *         System.err.println(Publisher.text(result));
 *     }
 * });
 * while (group.await(deadline)) {
 *     group.poll(responder, 16);
 * }
 * }</pre>
 *
 * <p>A request or response is a message that begins with 8 bytes for the id. For the thread of the group.
 */
public final class Responder implements MessageHandler {
    /** Bytes in front of each request and each response. */
    static final int ID_BYTES = Long.BYTES;

    private static final ValueLayout.OfLong ID = JAVA_LONG.withOrder(LITTLE_ENDIAN);

    private final RequestHandler handler;
    private long dropped;

    private Responder(RequestHandler handler) {
        this.handler = handler;
    }

    /** Returns a responder that hands requests to {@code handler}. */
    public static Responder of(RequestHandler handler) {
        return new Responder(Objects.requireNonNull(handler, "handler"));
    }

    /** Hands a request to the handler; drops and counts a message that is none. */
    @Override
    public void onMessage(Channel channel, MemorySegment memory, long offset, int length) {
        if (length < ID_BYTES) {
            dropped++;
        } else {
            handler.onRequest(channel, id(memory, offset), memory, offset + ID_BYTES, length - ID_BYTES);
        }
    }

    /**
     * Claims memory for the response to request {@code id}, to be filled in place: {@link Publisher#claim} of the
     * channel.
     *
     * @param channel the channel of the request
     * @param id what the handler got
     * @param length bytes, from 0 to {@link Publisher#maxMessageLength} less 8
     * @return as {@link Publisher#tryClaim}
     * @throws IllegalArgumentException if {@code length} is negative
     * @throws IllegalStateException if a claim is open
     */
    @CheckReturnValue
    public static long tryClaim(Channel channel, long id, int length) {
        Publisher publisher = channel.publisher();
        long position =
                publisher.tryClaim(length > Integer.MAX_VALUE - ID_BYTES || length < 0 ? length : length + ID_BYTES);
        if (position > 0) {
            Claim claim = publisher.claim();
            claim.segment().set(ID, claim.offset(), id);
            claim.skip(ID_BYTES);
        }
        return position;
    }

    /**
     * Publishes a copy of {@code length} bytes of {@code message} from {@code offset} as the response to request
     * {@code id}.
     *
     * @param channel the channel of the request
     * @param id what the handler got
     * @param message any memory, also on the heap, and that of the request
     * @param offset first byte in {@code message}
     * @param length bytes, from 0 to {@link Publisher#maxMessageLength} less 8
     * @return as {@link Publisher#offer}
     * @throws IllegalArgumentException if {@code length} is negative
     * @throws IndexOutOfBoundsException if the range is not within {@code message}
     * @throws IllegalStateException if a claim is open
     */
    @CheckReturnValue
    public static long offer(Channel channel, long id, MemorySegment message, long offset, int length) {
        long position = tryClaim(channel, id, length);
        return position > 0 ? fill(channel.publisher().claim(), message, offset, length) : position;
    }

    static long fill(Claim claim, MemorySegment message, long offset, int length) {
        boolean filled = false;
        try {
            MemorySegment.copy(message, offset, claim.segment(), claim.offset(), length);
            filled = true;
        } finally {
            if (!filled) {
                claim.abort();
            }
        }
        return claim.commit();
    }

    static long id(MemorySegment memory, long offset) {
        return memory.get(ID, offset);
    }

    /** Returns how many messages were dropped that are too short for a request. */
    public long dropped() {
        return dropped;
    }
}
