package org.panamaverbs.api;

import org.jspecify.annotations.Nullable;

/**
 * How a listener is made.
 *
 * @param backlog requests that may wait for {@link Listener#accept}, from 1
 * @param reuseAddress true to bind although old connections linger at the port
 * @param tls how peers are protected by TLS, all of them; null for none
 * @param ipv6Only true to hear peers of IPv6 alone at an address of IPv6, so that another listener can have the port of
 *     IPv4 ({@code RDMA_OPTION_ID_AFONLY}); false for what the system does; needs
 *     {@link Capabilities.Feature#IPV6_ONLY}
 * @param ipv4Only true to hear peers of IPv4 alone at the wildcard address of IPv4; false for what the system or
 *     provider does, which may be to hear both there
 */
public record ListenerConfig(
        int backlog, boolean reuseAddress, @Nullable TlsConfig tls, boolean ipv6Only, boolean ipv4Only) {
    /** Creates a configuration without TLS. */
    public ListenerConfig(int backlog, boolean reuseAddress) {
        this(backlog, reuseAddress, null, false, false);
    }

    /** Returns a backlog of 128 with address reuse, without TLS. */
    public static ListenerConfig defaults() {
        return new ListenerConfig(128, true);
    }

    /** Returns a copy that demands TLS of every peer; needs {@link Capabilities.Feature#TLS}. */
    public ListenerConfig withTls(TlsConfig config) {
        return new ListenerConfig(backlog, reuseAddress, config, ipv6Only, ipv4Only);
    }

    /** Returns a copy that hears peers of IPv6 alone, or as the system does. */
    public ListenerConfig withIpv6Only(boolean only) {
        return new ListenerConfig(backlog, reuseAddress, tls, only, ipv4Only);
    }

    /** Returns a copy that hears peers of IPv4 alone at the wildcard address of IPv4, or as the system does. */
    public ListenerConfig withIpv4Only(boolean only) {
        return new ListenerConfig(backlog, reuseAddress, tls, ipv6Only, only);
    }
}
