package org.panamaverbs.api;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.config.Fields;
import org.panamaverbs.api.device.Capabilities;

/** What a shared receive queue is created with, {@code struct ibv_srq_init_attr}. Immutable; fields may be added. */
public final class SharedReceiveQueueConfig implements Cloneable {
    private static final Fields<SharedReceiveQueueConfig> FIELDS = new Fields<>(
            SharedReceiveQueueConfig.class,
            fields -> fields.and("maxWr", config -> config.maxWr).and("maxSge", config -> config.maxSge));

    private int maxWr;
    private int maxSge = 4;

    private SharedReceiveQueueConfig(int maxWr) {
        this.maxWr = maxWr;
    }

    /** Returns a configuration of {@code maxWr} outstanding receives with up to 4 SGEs each. */
    public static SharedReceiveQueueConfig of(int maxWr) {
        return FIELDS.made(new SharedReceiveQueueConfig(maxWr));
    }

    /** Returns the number of outstanding receives, {@code attr.max_wr}: 1 to {@link Capabilities#maxSrqWr()}. */
    public int maxWr() {
        return maxWr;
    }

    /** Returns a copy with room for {@code receives}. */
    public SharedReceiveQueueConfig withDepth(int receives) {
        return with(copy -> copy.maxWr = receives);
    }

    /** Returns the SGEs per receive, {@code attr.max_sge}: 1 to {@link Capabilities#maxSrqSge()}, 4 by default. */
    public int maxSge() {
        return maxSge;
    }

    /** Returns a copy with up to {@code entries} SGEs per receive. */
    public SharedReceiveQueueConfig withSge(int entries) {
        return with(copy -> copy.maxSge = entries);
    }

    private SharedReceiveQueueConfig with(Consumer<SharedReceiveQueueConfig> change) {
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
