package org.panamaverbs.channel;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Publishes each message to many subscribers, with a result for each. A slow one holds up no other: the caller decides
 * whether to {@link #retry}, which makes the slowest set the pace, to go on, so that the slow one misses the message,
 * or to {@link #remove} it.
 *
 * <pre>{@code
 * for (int slow = fanOut.offer(message, 0, length); slow > 0; slow = fanOut.retry(message, 0, length)) {
 *     group.poll(handler, 16);
 * }
 * }</pre>
 *
 * <p>Copies the message once for each. Allocates nothing. For the thread of the groups.
 */
public final class FanOut {
    private final List<Channel> channels = new ArrayList<>();
    private long[] results = new long[8];
    private long[] missed = new long[8];

    /** Creates a fan-out without subscribers. */
    public FanOut() {}

    /** Adds the subscriber of {@code channel}, from the next message on, with the highest index. */
    public void add(Channel channel) {
        Objects.requireNonNull(channel, "channel");
        int index = channels.size();
        if (index == results.length) {
            results = Arrays.copyOf(results, 2 * index);
            missed = Arrays.copyOf(missed, 2 * index);
        }
        channels.add(channel);
        results[index] = 0;
        missed[index] = 0;
    }

    /**
     * Removes {@code channel}, without closing it; the indexes behind it go down by one.
     *
     * @return false if it is not there
     */
    public boolean remove(Channel channel) {
        int index = channels.indexOf(channel);
        if (index < 0) {
            return false;
        }
        channels.remove(index);
        System.arraycopy(results, index + 1, results, index, channels.size() - index);
        System.arraycopy(missed, index + 1, missed, index, channels.size() - index);
        return true;
    }

    /**
     * Offers a message to each subscriber, once. One that is still back-pressured from the message before misses that.
     *
     * @param message any memory, also on the heap; the caller's again when this returns
     * @param offset first byte in {@code message}
     * @param length bytes, from 0 to the smallest {@link Publisher#maxMessageLength}
     * @return how many subscribers are back-pressured and do not have it
     * @throws IllegalArgumentException if {@code length} is negative
     * @throws IndexOutOfBoundsException if the range is not within {@code message}
     * @throws IllegalStateException if a claim of one is open
     */
    public int offer(MemorySegment message, long offset, int length) {
        for (int i = 0; i < channels.size(); i++) {
            if (results[i] == Publisher.BACK_PRESSURED) {
                missed[i]++;
            }
            results[i] = Publisher.BACK_PRESSURED;
        }
        return retry(message, offset, length);
    }

    /**
     * Offers the message of the last {@link #offer} again, to the subscribers that were back-pressured.
     *
     * @param message the same message
     * @param offset first byte in {@code message}
     * @param length bytes
     * @return how many subscribers are back-pressured and do not have it
     */
    public int retry(MemorySegment message, long offset, int length) {
        int left = 0;
        for (int i = 0; i < channels.size(); i++) {
            if (results[i] == Publisher.BACK_PRESSURED) {
                results[i] = channels.get(i).publisher().offer(message, offset, length);
                left += results[i] == Publisher.BACK_PRESSURED ? 1 : 0;
            }
        }
        return left;
    }

    /** Returns how many subscribers there are, with indexes below. */
    public int size() {
        return channels.size();
    }

    /** Returns the channel of subscriber {@code index}. */
    public Channel channel(int index) {
        return channels.get(index);
    }

    /** Returns what {@link Publisher#offer} returned to subscriber {@code index} last; 0 before the first message. */
    public long result(int index) {
        return results[Objects.checkIndex(index, channels.size())];
    }

    /** Returns how many messages subscriber {@code index} has missed because it was back-pressured. */
    public long missed(int index) {
        return missed[Objects.checkIndex(index, channels.size())];
    }
}
