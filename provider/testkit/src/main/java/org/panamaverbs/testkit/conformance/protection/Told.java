package org.panamaverbs.testkit.conformance.protection;

import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SgList;

/** What a post tells of its faults, first to last: of several the first is told. */
enum Told {
    /** The queue is closed. */
    CLOSED(IllegalStateException.class),
    /** A queue pair takes its receives from a shared queue. */
    SHARED(IllegalStateException.class),
    /** The device or the service lacks the operation. */
    LACKING(UnsupportedOperationException.class),
    /** An object is of another domain or provider. */
    FOREIGN(IllegalArgumentException.class),
    /** An object is closed. */
    OBJECT_CLOSED(IllegalStateException.class),
    /** A range is not within the data or the list. */
    OUT_OF_RANGE(IndexOutOfBoundsException.class),
    /** The request is malformed. */
    INVALID(PostStatus.INVALID),
    /** The queue pair takes no sends yet. */
    NOT_CONNECTED(PostStatus.NOT_CONNECTED),
    /** There are more pieces than the queue was made for. */
    TOO_MANY_SEGMENTS(PostStatus.TOO_MANY_SEGMENTS),
    /** There are more inline bytes than the queue was made for. */
    INLINE_TOO_LONG(PostStatus.INLINE_TOO_LONG),
    /** The message is longer than {@link SgList#MAX_LENGTH}. */
    MESSAGE_TOO_LONG(PostStatus.MESSAGE_TOO_LONG),
    /** There is no room. */
    QUEUE_FULL(PostStatus.QUEUE_FULL),
    /** The inline data are gone. */
    GONE(PostStatus.INVALID);

    private final Class<? extends RuntimeException> exception;
    private final int status;

    Told(Class<? extends RuntimeException> exception) {
        this.exception = exception;
        status = PostStatus.ACCEPTED;
    }

    Told(int status) {
        exception = RuntimeException.class;
        this.status = status;
    }

    /** Returns what it looks like to who posts. */
    String answer() {
        return status < 0 ? PostStatus.text(status) : exception.getSimpleName();
    }

    /** Returns what {@code thrown} looks like: its class, or the kind of it that a post may throw. */
    static String answer(RuntimeException thrown) {
        for (Told each : values()) {
            if (each.status == PostStatus.ACCEPTED && each.exception.isInstance(thrown)) {
                return each.answer();
            }
        }
        return thrown.toString();
    }
}
