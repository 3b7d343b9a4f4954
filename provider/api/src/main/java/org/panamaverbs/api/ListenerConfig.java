package org.panamaverbs.api;

import org.jspecify.annotations.Nullable;

/**
 * How a listener is made.
 *
 * @param backlog requests that may wait for {@link Listener#accept}, from 1
 * @param reuseAddress true to bind although old connections linger at the port
 * @param tls how peers are protected by TLS, all of them; null for none
 */
public record ListenerConfig(
        int backlog, boolean reuseAddress, @Nullable TlsConfig tls) {
    /** Creates a configuration without TLS. */
    public ListenerConfig(int backlog, boolean reuseAddress) {
        this(backlog, reuseAddress, null);
    }

    /** Returns a backlog of 128 with address reuse, without TLS. */
    public static ListenerConfig defaults() {
        return new ListenerConfig(128, true);
    }

    /** Returns a copy that demands TLS of every peer; needs {@link Capabilities.Feature#TLS}. */
    public ListenerConfig withTls(TlsConfig config) {
        return new ListenerConfig(backlog, reuseAddress, config);
    }
}
