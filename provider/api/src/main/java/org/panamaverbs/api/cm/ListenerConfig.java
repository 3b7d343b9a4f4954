package org.panamaverbs.api.cm;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.config.Fields;
import org.panamaverbs.api.device.Capabilities;

/** How a listener is created. Immutable; fields may be added. */
public final class ListenerConfig implements Cloneable {
    private static final Fields<ListenerConfig> FIELDS = new Fields<>(ListenerConfig.class)
            .and("backlog", config -> config.backlog)
            .and("reuseAddress", config -> config.reuseAddress)
            .and("tls", config -> config.tls)
            .and("ipv6Only", config -> config.ipv6Only)
            .and("ipv4Only", config -> config.ipv4Only);
    private static final ListenerConfig DEFAULT = FIELDS.made(new ListenerConfig());

    private int backlog = 128;
    private boolean reuseAddress = true;
    private @Nullable TlsConfig tls;
    private boolean ipv6Only;
    private boolean ipv4Only;

    private ListenerConfig() {}

    /** Returns a backlog of 128 with address reuse, without TLS. */
    public static ListenerConfig defaults() {
        return DEFAULT;
    }

    /**
     * Returns how many requests may wait for {@link Listener#accept}, from 1, {@code backlog} of
     * {@code rdma_listen(3)}; 128 by default.
     */
    public int backlog() {
        return backlog;
    }

    /** Returns a copy where {@code requests} may wait. */
    public ListenerConfig withBacklog(int requests) {
        return with(copy -> copy.backlog = requests);
    }

    /**
     * Returns whether to bind although old connections linger at the port, {@code RDMA_OPTION_ID_REUSEADDR}; true by
     * default.
     */
    public boolean reuseAddress() {
        return reuseAddress;
    }

    /** Returns a copy that binds although old connections linger at the port, or not. */
    public ListenerConfig withReuseAddress(boolean reuse) {
        return with(copy -> copy.reuseAddress = reuse);
    }

    /** Returns how all peers are protected by TLS; null, the default, for not at all. */
    public @Nullable TlsConfig tls() {
        return tls;
    }

    /** Returns a copy that demands TLS of every peer; needs {@link Capabilities.Feature#TLS}. */
    public ListenerConfig withTls(TlsConfig config) {
        return with(copy -> copy.tls = config);
    }

    /**
     * Returns whether to hear peers of IPv6 alone at an address of IPv6, so that another listener can have the port of
     * IPv4 ({@code RDMA_OPTION_ID_AFONLY}); false, the default, for what the system does. Needs
     * {@link Capabilities.Feature#IPV6_ONLY}.
     */
    public boolean ipv6Only() {
        return ipv6Only;
    }

    /** Returns a copy that hears peers of IPv6 alone, or as the system does. */
    public ListenerConfig withIpv6Only(boolean only) {
        return with(copy -> copy.ipv6Only = only);
    }

    /**
     * Returns whether to hear peers of IPv4 alone at the wildcard address of IPv4; false, the default, for what the
     * system or provider does, which may be to hear both there.
     */
    public boolean ipv4Only() {
        return ipv4Only;
    }

    /** Returns a copy that hears peers of IPv4 alone at the wildcard address of IPv4, or as the system does. */
    public ListenerConfig withIpv4Only(boolean only) {
        return with(copy -> copy.ipv4Only = only);
    }

    private ListenerConfig with(Consumer<ListenerConfig> change) {
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
