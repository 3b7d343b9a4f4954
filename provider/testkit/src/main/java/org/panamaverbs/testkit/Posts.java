package org.panamaverbs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.panamaverbs.api.PostStatus;

/** Checks of what posting answered. */
public final class Posts {
    private Posts() {}

    /** Fails unless {@code status} says that the request was accepted. */
    public static void accepted(int status) {
        assertThat(PostStatus.text(status)).isEqualTo(PostStatus.text(PostStatus.ACCEPTED));
    }

    /** Fails unless {@code status} is {@code expected}. */
    public static void answered(int expected, int status) {
        assertThat(PostStatus.text(status)).isEqualTo(PostStatus.text(expected));
    }
}
