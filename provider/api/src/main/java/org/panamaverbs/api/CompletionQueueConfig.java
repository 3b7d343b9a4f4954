package org.panamaverbs.api;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Capabilities.Feature;

/**
 * What a completion queue is created with. With fields or flags it is an extended one ({@code ibv_create_cq_ex(3)}),
 * which is polled like any other.
 *
 * @param capacity completions it can hold, 1 to {@link Capabilities#maxCqe()}
 * @param channel where its events go, null for polling only
 * @param fields the fields that completions are to have, empty for those of an ordinary queue, which has no timestamps;
 *     a provider that reads fields one by one leaves the others 0
 * @param flags how it is used
 * @param completionVector which of the device's event lines tells of its completions, from 0 to below
 *     {@link Capabilities#completionVectors()} ({@code comp_vector}); what serves a line, such as an interrupt bound to
 *     a processor, is the device's and the system's to say
 */
public record CompletionQueueConfig(
        int capacity,
        @Nullable CompletionChannel channel,
        Set<WcField> fields,
        Set<CompletionQueueFlag> flags,
        int completionVector) {
    /** Copies the sets. */
    public CompletionQueueConfig {
        fields = Set.copyOf(fields);
        flags = Set.copyOf(flags);
    }

    /** Makes an ordinary one. */
    public CompletionQueueConfig(int capacity, @Nullable CompletionChannel channel) {
        this(capacity, channel, Set.of(), Set.of(), 0);
    }

    /** Returns a configuration without channel. */
    public static CompletionQueueConfig of(int capacity) {
        return new CompletionQueueConfig(capacity, null);
    }

    /** Returns a copy with events on {@code newChannel}. */
    public CompletionQueueConfig withChannel(CompletionChannel newChannel) {
        return new CompletionQueueConfig(capacity, newChannel, fields, flags, completionVector);
    }

    /** Returns a copy with completions that have {@code wanted} and what they always have. */
    public CompletionQueueConfig withFields(WcField... wanted) {
        return new CompletionQueueConfig(capacity, channel, Set.copyOf(List.of(wanted)), flags, completionVector);
    }

    /** Returns a copy with {@code newFlags}. */
    public CompletionQueueConfig withFlags(CompletionQueueFlag... newFlags) {
        return new CompletionQueueConfig(capacity, channel, fields, Set.copyOf(List.of(newFlags)), completionVector);
    }

    /** Returns a copy with the device's event line {@code vector}. */
    public CompletionQueueConfig withCompletionVector(int vector) {
        return new CompletionQueueConfig(capacity, channel, fields, flags, vector);
    }

    /** Returns whether it asks for what only an extended queue has. */
    public boolean isExtended() {
        return !fields.isEmpty() || !flags.isEmpty();
    }

    /**
     * Does nothing if a device with {@code capabilities} can make such a queue.
     *
     * @throws UnsupportedOperationException naming {@code device}, all that it lacks and what asked for it otherwise
     */
    public void require(Capabilities capabilities, String device) {
        Set<Feature> missing = EnumSet.noneOf(Feature.class);
        if (isExtended()) {
            missing.add(Feature.EXTENDED_CQ);
        }
        for (WcField field : fields) {
            missing.add(field.feature());
        }
        if (flags.contains(CompletionQueueFlag.IGNORE_OVERRUN)) {
            missing.add(Feature.CQ_IGNORE_OVERRUN);
        }
        missing.removeAll(capabilities.features());
        if (!missing.isEmpty()) {
            throw new UnsupportedOperationException("device " + device + " lacks " + missing
                    + ", so it has no completion queue with fields " + fields + " and flags " + flags
                    + "; `verbs devinfo -v` shows what it has, CompletionQueueConfig.of(" + capacity
                    + ") makes an ordinary one");
        }
    }
}
