package org.panamaverbs.api.cm;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.config.Fields;
import org.panamaverbs.api.device.Capabilities;

/** How a listener is created. Immutable; fields may be added. */
public final class ListenerConfig implements Cloneable {
    private static final Fields<ListenerConfig> FIELDS = new Fields<>(
            ListenerConfig.class,
            fields -> fields.and("backlog", config -> config.backlog)
                    .and("reuseAddress", config -> config.reuseAddress)
                    .and("tls", config -> config.tls)
                    .and("ipv6Only", config -> config.ipv6Only)
                    .and("ipv4Only", config -> config.ipv4Only)
                    .and("options", config -> config.options));
    private static final ListenerConfig DEFAULT = FIELDS.made(new ListenerConfig());

    private int backlog = 128;
    private boolean reuseAddress = true;
    private @Nullable TlsConfig tls;
    private boolean ipv6Only;
    private boolean ipv4Only;
    private Map<String, String> options = Map.of();

    private ListenerConfig() {}

    /** Returns a backlog of 128 with address reuse, without TLS. */
    public static ListenerConfig defaults() {
        return DEFAULT;
    }

    /**
     * Returns the number of requests that may wait for {@link Listener#accept}, from 1, {@code backlog} of
     * {@code rdma_listen(3)}; 128 by default.
     */
    public int backlog() {
        return backlog;
    }

    /** Returns a copy with a backlog of {@code requests}. */
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

    /** Returns the TLS configuration for all peers; null, the default, for no TLS. */
    public @Nullable TlsConfig tls() {
        return tls;
    }

    /** Returns a copy that requires TLS from every peer; needs {@link Capabilities.Feature#TLS}. */
    public ListenerConfig withTls(TlsConfig config) {
        return with(copy -> copy.tls = config);
    }

    /**
     * Returns whether to accept only IPv6 peers at an IPv6 address, so that another listener can have the same IPv4
     * port ({@code RDMA_OPTION_ID_AFONLY}); false, the default, for the system's behavior. Needs
     * {@link Capabilities.Feature#IPV6_ONLY}.
     */
    public boolean ipv6Only() {
        return ipv6Only;
    }

    /** Returns a copy that accepts only IPv6 peers, or follows the system. */
    public ListenerConfig withIpv6Only(boolean only) {
        return with(copy -> copy.ipv6Only = only);
    }

    /**
     * Returns whether to accept only IPv4 peers at the IPv4 wildcard address; false, the default, for the behavior of
     * the system or provider, which may accept both there.
     */
    public boolean ipv4Only() {
        return ipv4Only;
    }

    /** Returns a copy that accepts only IPv4 peers at the IPv4 wildcard address, or follows the system. */
    public ListenerConfig withIpv4Only(boolean only) {
        return with(copy -> copy.ipv4Only = only);
    }

    /**
     * Returns the provider's options for this listener, by name; none by default. Each provider documents its own and
     * refuses unknown ones, as with {@link OpenConfig#options()}. Unmodifiable.
     */
    public Map<String, String> options() {
        return options;
    }

    /** Returns a copy with the provider's option {@code name} set for this listener. */
    public ListenerConfig with(String name, String value) {
        Map<String, String> more = new HashMap<>(options);
        more.put(name, value);
        return with(copy -> copy.options = Map.copyOf(more));
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
