package org.panamaverbs.channel;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.CheckReturnValue;
import org.panamaverbs.channel.flow.Frame;
import org.panamaverbs.channel.flow.Outbound;

/**
 * Publishes messages to the other end of a channel. No call waits, and none allocates. Results are positions in the
 * stream, which are positive and grow, or one of the negative reasons, as Aeron's:
 *
 * <pre>{@code
 * long position = publisher.offer(message, 0, length);
 * while (position == Publisher.BACK_PRESSURED) {
 *     group.poll(handler, 16); // or any other work
 *     position = publisher.offer(message, 0, length);
 * }
 * }</pre>
 *
 * <p>For the thread of the group.
 */
public final class Publisher {
    /** The connection was lost, or the peer has ended the channel: {@link Channel#failure}. */
    public static final long NOT_CONNECTED = -1;
    /** The window is full: the subscriber has not released enough yet. Try again later. */
    public static final long BACK_PRESSURED = -2;
    /** This side has closed the channel, or ended it with {@link #end}. */
    public static final long CLOSED = -4;
    /** The message is longer than {@link #maxMessageLength}. */
    public static final long TOO_LONG = -6;

    private final Channel channel;
    private final Outbound outbound;
    private final MemorySegment memory;
    private final int maxMessage;
    private final boolean batching;
    private final int batchBytes;
    private final Claim claim;
    private boolean ended;
    private long beforeEnd;
    private long backPressured;

    Publisher(Channel channel, Outbound outbound, MemorySegment memory, ChannelConfig config) {
        this.channel = channel;
        this.outbound = outbound;
        this.memory = memory;
        this.maxMessage = config.maxMessageLength();
        this.batching = config.batching();
        this.batchBytes = config.ringBytes() / 8;
        this.claim = new Claim(this, memory);
    }

    /** Returns the meaning of a negative {@code result}, with the remedy; for messages, not for the data path. */
    public static String text(long result) {
        if (result > 0) {
            return "published up to position " + result;
        }
        return switch ((int) result) {
            case (int) NOT_CONNECTED ->
                "not connected, the peer has ended the channel (isEnded) or it was lost (failure); remedy: connect a new"
                        + " channel, and publish again what inDoubt hands out";
            case (int) BACK_PRESSURED -> "back-pressured, the subscriber is slower; remedy: retry after a poll";
            case (int) CLOSED -> "closed by this side; remedy: connect a new channel";
            case (int) TOO_LONG ->
                "too long; remedy: split the message, or raise maxMessageLength, at most a quarter of ringBytes less 8, on"
                        + " both sides";
            default -> "unknown result " + result;
        };
    }

    /**
     * Claims memory for a message of {@code length} bytes, to be filled in place: {@link #claim}. Then
     * {@link Claim#commit} or {@link Claim#abort} it, before anything else is published.
     *
     * @param length bytes, from 0 to {@link #maxMessageLength}
     * @return the position after the message; or {@link #BACK_PRESSURED}, {@link #NOT_CONNECTED}, {@link #CLOSED} or
     *     {@link #TOO_LONG}, with nothing claimed
     * @throws IllegalArgumentException if {@code length} is negative
     * @throws IllegalStateException if a claim is open
     */
    @CheckReturnValue
    public long tryClaim(int length) {
        long refused = refusal(length, maxMessage);
        if (refused != 0) {
            return refused;
        }
        int at = outbound.claim(length);
        if (at < 0) {
            refused = makeRoom();
            if (refused != 0) {
                return refused;
            }
            at = outbound.claim(length);
            if (at < 0) {
                return backPressure();
            }
        }
        claim.open(at, length);
        return outbound.claimEnd();
    }

    /** Returns the claim of this publisher, always the same object. */
    public Claim claim() {
        return claim;
    }

    /**
     * Publishes a copy of {@code length} bytes of {@code message} from {@code offset}.
     *
     * @param message any memory, also on the heap; the caller's again when this returns
     * @param offset first byte in {@code message}
     * @param length bytes, from 0 to {@link #maxMessageLength}
     * @return the position after the message; or {@link #BACK_PRESSURED}, {@link #NOT_CONNECTED}, {@link #CLOSED} or
     *     {@link #TOO_LONG}, with nothing published
     * @throws IllegalArgumentException if {@code length} is negative
     * @throws IndexOutOfBoundsException if the range is not within {@code message}
     * @throws IllegalStateException if a claim is open
     */
    @CheckReturnValue
    public long offer(MemorySegment message, long offset, int length) {
        long refused = refusal(length, maxMessage);
        if (refused != 0) {
            return refused;
        }
        int at = outbound.claim(length);
        if (at < 0) {
            refused = makeRoom();
            if (refused != 0) {
                return refused;
            }
            at = outbound.claim(length);
            if (at < 0) {
                return backPressure();
            }
        }
        MemorySegment.copy(message, offset, memory, at, length);
        return committed(length);
    }

    /** Returns 0 if a message of {@code length} bytes may be published, where there is room, or why not. */
    private long refusal(int length, int longest) {
        if (claim.isOpen()) {
            throw new IllegalStateException(
                    "publish: a message is claimed and not committed; remedy: call commit or abort of the claim first");
        }
        if (length < 0) {
            throw new IllegalArgumentException(
                    "publish: a message of " + length + " bytes; remedy: pass a length from 0");
        }
        if (ended) {
            return CLOSED;
        }
        long refused = channel.refusal();
        return refused != 0 || length <= longest ? refused : TOO_LONG;
    }

    private long backPressure() {
        backPressured++;
        return BACK_PRESSURED;
    }

    private long makeRoom() {
        channel.progress();
        return channel.refusal();
    }

    long committed(int length) {
        long position = outbound.commit(length, Frame.DATA);
        flushUnlessBatching();
        return position;
    }

    private void flushUnlessBatching() {
        if (!batching || outbound.unposted() >= batchBytes) {
            channel.flush();
        } else {
            channel.flushLater();
        }
    }

    /** Posts what waits, as far as the subscriber has room. With {@link ChannelConfig#batching}, call it at the end. */
    public void flush() {
        channel.flush();
    }

    /**
     * Ends the stream: the subscriber gets {@link Subscriber#isEnded} behind the last message. Nothing can be published
     * afterwards. Where the peer has ended its stream, this answers it: both sides then see an end in order.
     *
     * @return the position of the end; or {@link #BACK_PRESSURED}, {@link #NOT_CONNECTED} or {@link #CLOSED}
     * @throws IllegalStateException if a claim is open
     */
    @CheckReturnValue
    public long end() {
        long refused = endRefusal();
        if (refused == 0 && outbound.claim(0) < 0) {
            channel.progress();
            refused = endRefusal();
            if (refused == 0 && outbound.claim(0) < 0) {
                return backPressure();
            }
        }
        if (refused != 0) {
            return refused;
        }
        ended = true;
        beforeEnd = outbound.position();
        long position = outbound.commit(0, Frame.END);
        channel.flush();
        return position;
    }

    private long endRefusal() {
        long refused = refusal(0, 0);
        return refused == NOT_CONNECTED && channel.mayAnswerEnd() ? 0 : refused;
    }

    /** Publishes the end if that is to be done and there is room; returns whether it is released, with all before. */
    boolean endReleased() {
        return end() != BACK_PRESSURED && outbound.released() == outbound.position();
    }

    /** Returns the position behind the last message, in front of the end. */
    long messagesEnd() {
        return ended ? beforeEnd : outbound.position();
    }

    /** Returns the position behind the last message published, or behind the end. */
    public long position() {
        return outbound.position();
    }

    /**
     * Returns the position up to which the subscriber has released everything, as far as it has reported: it reports a
     * quarter of the window at a time, and all at once behind the end. Released is what the subscriber's handler has
     * taken, or its {@link Channel#disconnect} has dropped; of what is behind it, some may have been taken as well.
     */
    public long releasedPosition() {
        return outbound.released();
    }

    /**
     * Hands out again the messages from {@link #releasedPosition} to {@link #position}, in order, from the memory of
     * this side: those that the subscriber may not have taken when the channel was lost or ended, to be published on a
     * new one. Some may have been taken: number messages that must not be taken twice. Not for the data path.
     *
     * @param handler takes each message, as if it had arrived
     * @return true if these are all; false if the handler has closed the channel
     * @throws IllegalStateException if the channel is open, or this side has closed it
     */
    public boolean inDoubt(MessageHandler handler) {
        Channel.State state = channel.state();
        if (state == Channel.State.OPEN || state == Channel.State.CLOSED) {
            throw new IllegalStateException("in doubt: the channel is " + state
                    + "; remedy: call it when the channel was lost or ended, before close");
        }
        int span;
        for (long position = outbound.released(); position < outbound.position(); position += span) {
            if (channel.state() == Channel.State.CLOSED) {
                return false;
            }
            long at = position & memory.byteSize() - 1;
            long header = Frame.header(memory, at);
            int length = Frame.length(header);
            span = Frame.span(length);
            if (Frame.isMessage(header)) {
                handler.onMessage(channel, memory.asReadOnly(), at + Frame.HEADER_BYTES, length);
            }
        }
        return true;
    }

    /** Returns how many calls to publish have returned {@link #BACK_PRESSURED}. */
    public long backPressured() {
        return backPressured;
    }

    /** Returns the longest message in bytes. */
    public int maxMessageLength() {
        return maxMessage;
    }
}
