package org.panamaverbs.api;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.config.Fields;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;

/**
 * What a completion queue is created with. With fields or flags it is an extended one ({@code ibv_create_cq_ex(3)},
 * {@code struct ibv_cq_init_attr_ex}), which is polled like any other. Immutable; fields may be added.
 */
public final class CompletionQueueConfig implements Cloneable {
    private static final Fields<CompletionQueueConfig> FIELDS = new Fields<>(
            CompletionQueueConfig.class,
            fields -> fields.and("capacity", config -> config.capacity)
                    .and("channel", config -> config.channel)
                    .and("fields", config -> config.fields)
                    .and("flags", config -> config.flags)
                    .and("completionVector", config -> config.completionVector));

    private int capacity;
    private @Nullable CompletionChannel channel;
    private Set<WcField> fields = Set.of();
    private Set<CompletionQueueFlag> flags = Set.of();
    private int completionVector;

    private CompletionQueueConfig(int capacity) {
        this.capacity = capacity;
    }

    /** Returns a configuration of an ordinary queue for {@code capacity} completions, without channel. */
    public static CompletionQueueConfig of(int capacity) {
        return FIELDS.made(new CompletionQueueConfig(capacity));
    }

    /**
     * Returns how many completions the queue can hold, {@code cqe}: 1 to {@link Capabilities#maxCqe()}. The sends and
     * receives of its queue pairs, and those of their shared receive queues, always suffice: each request of a failed
     * queue pair completes, signaled or not. Fewer are accepted, as by libibverbs. A queue that overflows fails its
     * queue pairs, throws when polled, and raises {@link AsyncEvent.Type#CQ_ERROR}.
     */
    public int capacity() {
        return capacity;
    }

    /** Returns a copy for {@code completions}. */
    public CompletionQueueConfig withCapacity(int completions) {
        return with(copy -> copy.capacity = completions);
    }

    /** Returns where the events of the queue go, {@code channel}; null, the default, for polling only. */
    public @Nullable CompletionChannel channel() {
        return channel;
    }

    /** Returns a copy with events on {@code newChannel}, null for none. */
    public CompletionQueueConfig withChannel(@Nullable CompletionChannel newChannel) {
        return with(copy -> copy.channel = newChannel);
    }

    /**
     * Returns the fields that completions are to have, {@code wc_flags}: none, the default, for those of an ordinary
     * queue, which has no timestamps. A provider that reads fields one by one leaves the others 0. Unmodifiable.
     */
    public Set<WcField> fields() {
        return fields;
    }

    /** Returns a copy with completions that have {@code wanted} and what they always have. */
    public CompletionQueueConfig withFields(WcField... wanted) {
        return with(copy -> copy.fields = Set.copyOf(List.of(wanted)));
    }

    /** Returns how the queue is used, {@code flags}; none by default. Unmodifiable. */
    public Set<CompletionQueueFlag> flags() {
        return flags;
    }

    /** Returns a copy with {@code newFlags}. */
    public CompletionQueueConfig withFlags(CompletionQueueFlag... newFlags) {
        return with(copy -> copy.flags = Set.copyOf(List.of(newFlags)));
    }

    /**
     * Returns the completion vector that raises the events of the queue, {@code comp_vector}: from 0, the default, to
     * below {@link Capabilities#completionVectors()}. The system binds each vector to an interrupt, and that to
     * processors.
     */
    public int completionVector() {
        return completionVector;
    }

    /** Returns a copy with the device's event line {@code vector}. */
    public CompletionQueueConfig withCompletionVector(int vector) {
        return with(copy -> copy.completionVector = vector);
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
            throw new UnsupportedOperationException("create completion queue with fields " + fields + " and flags "
                    + flags + ": device " + device + " lacks " + missing
                    + "; remedy: leave them out (CompletionQueueConfig.of(" + capacity
                    + ")), or see `verbs devinfo -v` for a device that has them");
        }
    }

    private CompletionQueueConfig with(Consumer<CompletionQueueConfig> change) {
        return FIELDS.changed(super::clone, change);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return FIELDS.equal(this, other);
    }

    @Override
    public int hashCode() {
        return FIELDS.hash(this);
    }

    @Override
    public String toString() {
        return FIELDS.toString(this);
    }
}
