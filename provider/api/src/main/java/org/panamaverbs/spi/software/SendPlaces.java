package org.panamaverbs.spi.software;

/**
 * How many sends of a queue pair have a place in its queue: those that were posted, up to the last whose completion was
 * polled. Used with the lock of the device held.
 */
final class SendPlaces {
    private final int capacity;
    /** Since the beginning, as is what was freed. */
    private long posted;

    private long freed;

    SendPlaces(int capacity) {
        this.capacity = capacity;
    }

    /** Tells whether there is a place behind {@code collected} sends that are not posted yet. */
    boolean hasRoom(int collected) {
        return posted + collected - freed < capacity;
    }

    /** Takes a place and returns the number of the send. */
    long take() {
        return posted++;
    }

    /** Returns how many sends took a place so far. */
    long taken() {
        return posted;
    }

    /** Frees the places of the sends up to {@code sequence}, whose completion was polled. */
    void free(long sequence) {
        freed = Math.max(freed, sequence + 1);
    }
}
