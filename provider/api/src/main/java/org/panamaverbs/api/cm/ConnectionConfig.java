package org.panamaverbs.api.cm;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.config.Fields;
import org.panamaverbs.api.device.Capabilities;

/** How a connection is asked for or accepted, {@code struct rdma_conn_param}. Immutable; fields may be added. */
public final class ConnectionConfig implements Cloneable {
    private static final Fields<ConnectionConfig> FIELDS = new Fields<>(
            ConnectionConfig.class,
            fields -> fields.and("privateData", config -> config.privateData)
                    .and("responderResources", config -> config.responderResources)
                    .and("initiatorDepth", config -> config.initiatorDepth)
                    .and("peerToPeer", config -> config.peerToPeer)
                    .and("retryCount", config -> config.retryCount)
                    .and("rnrRetryCount", config -> config.rnrRetryCount)
                    .and("typeOfService", config -> config.typeOfService)
                    .and("localAddress", config -> config.localAddress)
                    .and("options", config -> config.options)
                    .and("tls", config -> config.tls)
                    .and("retryTimes", config -> config.retryTimes));
    private static final ConnectionConfig DEFAULT = FIELDS.made(new ConnectionConfig());

    private byte[] privateData = new byte[0];
    private int responderResources = 16;
    private int initiatorDepth = 16;
    private boolean peerToPeer = true;
    private int retryCount = 7;
    private int rnrRetryCount = 7;
    private int typeOfService;
    private @Nullable InetSocketAddress localAddress;
    private Map<String, String> options = Map.of();
    private @Nullable TlsConfig tls;
    private RetryTimes retryTimes = RetryTimes.defaults();

    private ConnectionConfig() {}

    /** Returns no private data, depths of 16 both ways, peer-to-peer. */
    public static ConnectionConfig defaults() {
        return DEFAULT;
    }

    /**
     * Returns a copy of the bytes for the peer's application, {@code private_data}: up to
     * {@link Capabilities#maxPrivateData()} in a request, {@link Capabilities#maxAcceptPrivateData()} in an accept;
     * none by default.
     */
    public byte[] privateData() {
        return privateData.clone();
    }

    /** Returns a copy with {@code data} for the peer's application. */
    public ConnectionConfig withPrivateData(byte[] data) {
        return with(copy -> copy.privateData = data.clone());
    }

    /**
     * Returns the Reads and atomics that the peer may have outstanding here (IRD), {@code responder_resources}: 0 to
     * {@link Capabilities#maxResponderResources()}, 16 by default.
     */
    public int responderResources() {
        return responderResources;
    }

    /**
     * Returns the Reads and atomics that this side may have outstanding (ORD), {@code initiator_depth}: 0 to
     * {@link Capabilities#maxInitiatorDepth()}, 16 by default.
     */
    public int initiatorDepth() {
        return initiatorDepth;
    }

    /** Returns a copy with other depths: {@code responder} (IRD) and {@code initiator} (ORD). */
    public ConnectionConfig withDepths(int responder, int initiator) {
        return with(copy -> {
            copy.responderResources = responder;
            copy.initiatorDepth = initiator;
        });
    }

    /**
     * Returns whether the accepting side may be the first to send, true by default: the provider then sends a
     * ready-to-receive message of its own first (RFC 6581 §9.2). Without effect on transports that do not need it.
     */
    public boolean peerToPeer() {
        return peerToPeer;
    }

    /** Returns a copy with or without the peer-to-peer model. */
    public ConnectionConfig withPeerToPeer(boolean enabled) {
        return with(copy -> copy.peerToPeer = enabled);
    }

    /** Returns the transport retries, {@code retry_count}: 0 to 7, 7 by default; not on iWARP. */
    public int retryCount() {
        return retryCount;
    }

    /**
     * Returns the receiver-not-ready retries, {@code rnr_retry_count}: 0 to 7, 7 (the default) without limit; not on
     * iWARP.
     */
    public int rnrRetryCount() {
        return rnrRetryCount;
    }

    /** Returns a copy with retry counts, each 0 to 7. */
    public ConnectionConfig withRetries(int retry, int rnrRetry) {
        return with(copy -> {
            copy.retryCount = retry;
            copy.rnrRetryCount = rnrRetry;
        });
    }

    /**
     * Returns the IP type of service, {@code RDMA_OPTION_ID_TOS}: 0 to 255, 0 (the default) for the system's.
     * {@code accept} supports another value than 0 only on RoCE and with provider {@code iwarp}; elsewhere only the
     * connecting side can choose it.
     */
    public int typeOfService() {
        return typeOfService;
    }

    /** Returns a copy with an IP type of service. */
    public ConnectionConfig withTypeOfService(int tos) {
        return with(copy -> copy.typeOfService = tos);
    }

    /** Returns the address to connect from, null (the default) for any. */
    public @Nullable InetSocketAddress localAddress() {
        return localAddress;
    }

    /** Returns a copy that connects from {@code address}. */
    public ConnectionConfig withLocalAddress(InetSocketAddress address) {
        return with(copy -> copy.localAddress = address);
    }

    /**
     * Returns the provider's options for this connection, by name; none by default. Each provider documents its own and
     * refuses unknown ones, as with {@link OpenConfig#options()}. Unmodifiable.
     */
    public Map<String, String> options() {
        return options;
    }

    /** Returns a copy with the provider's option {@code name} set for this connection. */
    public ConnectionConfig with(String name, String value) {
        Map<String, String> more = new HashMap<>(options);
        more.put(name, value);
        return with(copy -> copy.options = Map.copyOf(more));
    }

    /**
     * Returns the TLS configuration of a connection request, null (the default) for no TLS; null for an accept, which
     * uses the listener's.
     */
    public @Nullable TlsConfig tls() {
        return tls;
    }

    /**
     * Returns a copy that requests TLS, which the peer must use as well; needs {@link Capabilities.Feature#TLS}. The
     * peer's certificate must be valid for the host name of the remote address.
     */
    public ConnectionConfig withTls(TlsConfig config) {
        return with(copy -> copy.tls = config);
    }

    /**
     * Returns how long is waited before something is sent again; others than the defaults need
     * {@link Capabilities.Feature#RETRY_TIMES}.
     */
    public RetryTimes retryTimes() {
        return retryTimes;
    }

    /** Returns a copy with other times before something is sent again. */
    public ConnectionConfig withRetryTimes(RetryTimes times) {
        return with(copy -> copy.retryTimes = times);
    }

    private ConnectionConfig with(Consumer<ConnectionConfig> change) {
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
