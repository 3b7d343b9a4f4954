package org.panamaverbs.channel;

import java.lang.foreign.MemorySegment;

/**
 * Registered memory for one message, filled in place between {@link Publisher#tryClaim} and {@link #commit} or
 * {@link #abort}. Each publisher has one, which it reuses. One thread.
 */
public final class Claim {
    private final Publisher publisher;
    private final MemorySegment segment;
    private long offset;
    private int length = -1;

    /** Bytes in front of the message that are not the caller's. */
    private int skipped;

    Claim(Publisher publisher, MemorySegment segment) {
        this.publisher = publisher;
        this.segment = segment;
    }

    void open(long at, int bytes) {
        offset = at;
        length = bytes;
        skipped = 0;
    }

    /** Takes the first {@code bytes} of the message away from the caller. */
    void skip(int bytes) {
        offset += bytes;
        length -= bytes;
        skipped = bytes;
    }

    boolean isOpen() {
        return length >= 0;
    }

    void discard() {
        length = -1;
    }

    /** Returns the memory of all messages of the publisher; only the claimed range may be written. */
    public MemorySegment segment() {
        return segment;
    }

    /** Returns the first byte of the message in {@link #segment}, a multiple of 8. */
    public long offset() {
        return offset;
    }

    /** Returns the length of the message in bytes. */
    public int length() {
        return length;
    }

    /**
     * Publishes the message.
     *
     * @return the position behind it, as {@link Publisher#tryClaim} returned it; it may be lost if the connection ends
     * @throws IllegalStateException if nothing is claimed
     */
    public long commit() {
        requireOpen();
        int bytes = skipped + length;
        length = -1;
        return publisher.committed(bytes);
    }

    /**
     * Gives the memory back; nothing is published.
     *
     * @throws IllegalStateException if nothing is claimed
     */
    public void abort() {
        requireOpen();
        length = -1;
    }

    private void requireOpen() {
        if (length < 0) {
            throw new IllegalStateException("claim: no message is claimed; remedy: call tryClaim first");
        }
    }
}
