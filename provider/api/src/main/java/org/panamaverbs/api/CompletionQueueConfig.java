package org.panamaverbs.api;

import org.jspecify.annotations.Nullable;

/**
 * What a completion queue is made with.
 *
 * @param capacity completions it can hold, 1 to {@link Capabilities#maxCqe()}
 * @param channel where its events go, null for polling only
 */
public record CompletionQueueConfig(int capacity, @Nullable CompletionChannel channel) {
    /** Returns a configuration without channel. */
    public static CompletionQueueConfig of(int capacity) {
        return new CompletionQueueConfig(capacity, null);
    }

    /** Returns it with events on {@code newChannel}. */
    public CompletionQueueConfig withChannel(CompletionChannel newChannel) {
        return new CompletionQueueConfig(capacity, newChannel);
    }
}
