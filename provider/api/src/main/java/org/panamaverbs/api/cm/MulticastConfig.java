package org.panamaverbs.api.cm;

import java.net.InetAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.config.Fields;

/** The configuration of a multicast membership. Immutable; fields may be added. */
public final class MulticastConfig implements Cloneable {
    private static final Fields<MulticastConfig> FIELDS = new Fields<>(
            MulticastConfig.class,
            fields -> fields.and("localAddress", config -> config.localAddress)
                    .and("sendOnly", config -> config.sendOnly));
    private static final MulticastConfig DEFAULT = FIELDS.made(new MulticastConfig());

    private @Nullable InetAddress localAddress;
    private boolean sendOnly;

    private MulticastConfig() {}

    /** Returns a full membership through the interface that the routing tables choose. */
    public static MulticastConfig defaults() {
        return DEFAULT;
    }

    /**
     * Returns the address of the device's network interface to join from; null, the default, to have the routing tables
     * choose ({@code ip route get GROUP}).
     */
    public @Nullable InetAddress localAddress() {
        return localAddress;
    }

    /** Returns a copy that joins from {@code address}. */
    public MulticastConfig withLocalAddress(InetAddress address) {
        return with(copy -> copy.localAddress = address);
    }

    /**
     * Returns whether to send to the group and receive nothing ({@code RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER}); false
     * by default. On InfiniBand the subnet manager must support send-only members.
     */
    public boolean sendOnly() {
        return sendOnly;
    }

    /** Returns a copy for sending only, or for sending and receiving. */
    public MulticastConfig withSendOnly(boolean only) {
        return with(copy -> copy.sendOnly = only);
    }

    private MulticastConfig with(Consumer<MulticastConfig> change) {
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
