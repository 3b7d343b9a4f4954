package org.panamaverbs.channel;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CheckReturnValue;
import org.panamaverbs.api.Deadline;

/**
 * Sends requests over the channels of a group and hands out what becomes of each: the response of the peer's
 * {@link Responder}, in any order, or that there is none. Allocates nothing.
 *
 * <pre>{@code
 * var requester = Requester.of(group, 64, responses);
 * long id = requester.offer(channel, message, 0, length, Deadline.in(1, SECONDS));
 * while (requester.outstanding() > 0) {
 *     requester.poll(16);
 * }
 * }</pre>
 *
 * <p>A group with other messages too passes this to its own poll, for the channels with responses, and calls
 * {@link #expire}. One side of a channel requests. For the thread of the group.
 */
public final class Requester implements MessageHandler {
    private final ChannelGroup group;
    private final ResponseHandler handler;

    // Slots of outstanding requests, by the low bits of their ids; those without a channel are free.
    private final int idBits;
    private final long[] ids;
    private final @Nullable Channel[] channels;
    private final @Nullable Deadline[] deadlines;
    private final int[] free;

    private int freeCount;
    private long requests;
    private long answered;
    private long dropped;

    /** No request's deadline passes before it; null if none passes. */
    private @Nullable Deadline earliest;

    /** The ends of channels that were seen. */
    private int endings;

    /** Whether not all is done that the last look at the requests found. */
    private boolean again;

    private Requester(ChannelGroup group, int maxRequests, ResponseHandler handler) {
        this.group = group;
        this.handler = handler;
        idBits = Integer.SIZE - Integer.numberOfLeadingZeros(maxRequests - 1);
        ids = new long[maxRequests];
        channels = new Channel[maxRequests];
        deadlines = new Deadline[maxRequests];
        free = new int[maxRequests];
        while (freeCount < maxRequests) {
            free[freeCount] = maxRequests - 1 - freeCount;
            freeCount++;
        }
    }

    /**
     * Returns a requester without requests.
     *
     * @param group whose channels it uses; stays the caller's
     * @param maxRequests how many may be outstanding on all channels together, from 1 to 2^20
     * @param handler takes responses, and learns where there are none
     */
    public static Requester of(ChannelGroup group, int maxRequests, ResponseHandler handler) {
        if (maxRequests < 1 || maxRequests > 1 << 20) {
            throw new IllegalArgumentException("requester: " + maxRequests
                    + " requests at most, expected 1 to 1048576; remedy: choose a number in this range");
        }
        return new Requester(
                Objects.requireNonNull(group, "group"), maxRequests, Objects.requireNonNull(handler, "handler"));
    }

    /**
     * Claims memory for a request, to be filled in place: {@link Publisher#claim} of the channel. If the claim is
     * aborted, {@link #cancel} the request.
     *
     * @param channel a channel of the group
     * @param length bytes, from 0 to {@link Publisher#maxMessageLength} less 8
     * @param deadline until when a response counts; one object may serve many requests
     * @return the id of the request, which is positive; or a reason as {@link Publisher#tryClaim} has them:
     *     {@link Publisher#BACK_PRESSURED} also if as many requests are outstanding as may be
     * @throws IllegalArgumentException if {@code length} is negative, or the channel is of another group
     * @throws IllegalStateException if a claim is open
     */
    @CheckReturnValue
    public long tryClaim(Channel channel, int length, Deadline deadline) {
        Objects.requireNonNull(deadline, "deadline");
        if (channel.group() != group) {
            throw new IllegalArgumentException(
                    "requester: " + channel + " is of another group; remedy: use one requester for each group");
        }
        if (freeCount == 0) {
            long refused = channel.refusal();
            return refused != 0 ? refused : Publisher.BACK_PRESSURED;
        }
        int slot = free[freeCount - 1];
        long id = (requests + 1) << idBits | slot;
        long position = Responder.tryClaim(channel, id, length);
        if (position < 0) {
            return position;
        }
        requests++;
        freeCount--;
        ids[slot] = id;
        channels[slot] = channel;
        deadlines[slot] = deadline;
        earliest = earlier(earliest, deadline);
        return id;
    }

    /**
     * Sends a copy of {@code length} bytes of {@code message} from {@code offset} as a request.
     *
     * @param channel a channel of the group
     * @param message any memory, also on the heap; the caller's again when this returns
     * @param offset first byte in {@code message}
     * @param length bytes, from 0 to {@link Publisher#maxMessageLength} less 8
     * @param deadline until when a response counts; one object may serve many requests
     * @return as {@link #tryClaim}
     * @throws IllegalArgumentException if {@code length} is negative, or the channel is of another group
     * @throws IndexOutOfBoundsException if the range is not within {@code message}
     * @throws IllegalStateException if a claim is open
     */
    @CheckReturnValue
    public long offer(Channel channel, MemorySegment message, long offset, int length, Deadline deadline) {
        long id = tryClaim(channel, length, deadline);
        if (id > 0) {
            boolean sent = false;
            try {
                Responder.fill(channel.publisher().claim(), message, offset, length);
                sent = true;
            } finally {
                if (!sent) {
                    cancel(id);
                }
            }
        }
        return id;
    }

    /**
     * Gives up a request: the handler hears no more of it, and a response is dropped.
     *
     * @return false if it is not outstanding
     */
    public boolean cancel(long id) {
        int slot = slot(id);
        if (slot < 0) {
            return false;
        }
        release(slot);
        return true;
    }

    /**
     * Polls the group, of which every message counts as a response, then calls {@link #expire}. Without waiting.
     *
     * @param limit responses of one channel at most, from 1
     * @return how many requests have ended, with or without a response
     */
    public int poll(int limit) {
        long before = answered;
        group.poll(this, limit);
        return (int) (answered - before) + expire();
    }

    /** Takes a response; drops and counts one that comes late, or to what was not requested. */
    @Override
    public void onMessage(Channel channel, MemorySegment memory, long offset, int length) {
        long id = length < Responder.ID_BYTES ? 0 : Responder.id(memory, offset);
        int slot = slot(id);
        if (slot < 0 || channels[slot] != channel) {
            dropped++;
            return;
        }
        release(slot);
        answered++;
        handler.onResponse(channel, id, memory, offset + Responder.ID_BYTES, length - Responder.ID_BYTES);
    }

    /**
     * Ends the requests without a response whose deadline has passed, or whose channel has ended. Call it with each
     * poll of the group that is not one of this requester.
     *
     * @return how many have ended
     */
    public int expire() {
        if (outstanding() == 0) {
            earliest = null;
            return 0;
        }
        if (!mayExpire()) {
            return 0;
        }
        // Stays set if the handler throws.
        again = true;
        earliest = null;
        endings = group.endings();
        boolean undrained = false;
        int expired = 0;
        for (int slot = 0; slot < ids.length; slot++) {
            Channel channel = channels[slot];
            Deadline deadline = deadlines[slot];
            if (channel == null || deadline == null) {
                continue;
            }
            // A lost channel may still have responses that have arrived.
            boolean over = channel.subscriber().isClosed();
            if (over || deadline.passed()) {
                long id = ids[slot];
                release(slot);
                expired++;
                handler.onNoResponse(channel, id);
            } else {
                earliest = earlier(earliest, deadline);
                undrained |= channel.state() != Channel.State.OPEN;
            }
        }
        again = undrained;
        return expired;
    }

    private boolean mayExpire() {
        return again || endings != group.endings() || (earliest != null && earliest.passed());
    }

    /**
     * Waits as {@link ChannelGroup#await}, but no longer than until the first deadline of a request, for the next
     * {@link #poll} to end it.
     *
     * @param deadline until when to wait
     * @return false if {@code deadline} passed
     * @throws org.panamaverbs.api.WaitInterruptedException if the thread is interrupted; the interrupt flag stays set
     */
    public boolean await(Deadline deadline) {
        Deadline first = outstanding() == 0 ? null : earliest;
        if (first == null || deadline.remainingNanos() <= first.remainingNanos()) {
            return group.await(deadline);
        }
        return group.await(first) || !deadline.passed();
    }

    /** Returns how many requests are outstanding. */
    public int outstanding() {
        return ids.length - freeCount;
    }

    /** Returns how many responses were dropped: they came late, or to what was not requested. */
    public long dropped() {
        return dropped;
    }

    private int slot(long id) {
        int slot = (int) id & (1 << idBits) - 1;
        return slot < ids.length && channels[slot] != null && ids[slot] == id ? slot : -1;
    }

    private void release(int slot) {
        channels[slot] = null;
        deadlines[slot] = null;
        free[freeCount++] = slot;
    }

    private static @Nullable Deadline earlier(@Nullable Deadline one, Deadline other) {
        if (other.unlimited()) {
            return one;
        }
        return one == null || other.nanoTime() - one.nanoTime() < 0 ? other : one;
    }
}
