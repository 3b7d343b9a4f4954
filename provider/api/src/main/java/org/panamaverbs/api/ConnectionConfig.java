package org.panamaverbs.api;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a connection is asked for or accepted, {@code struct rdma_conn_param}.
 *
 * @param privateData up to {@link Capabilities#maxPrivateData()} bytes for the peer's application, of who accepts up to
 *     {@link Capabilities#maxAcceptPrivateData()}
 * @param responderResources Reads and Atomics that the peer may have outstanding here (IRD), 0 to
 *     {@link Capabilities#maxResponderResources()}
 * @param initiatorDepth Reads and Atomics outstanding from here (ORD), 0 to {@link Capabilities#maxInitiatorDepth()}
 * @param peerToPeer true if the accepting side may be the first to send: the provider then sends a ready-to-receive
 *     message of its own first (RFC 6581 §9.2); of no effect where the transport needs none
 * @param retryCount transport retries, 0 to 7; not on iWARP
 * @param rnrRetryCount receiver-not-ready retries, 0 to 7, 7 for ever; not on iWARP
 * @param typeOfService the IP type of service, 0 to 255, 0 for the system's; {@code accept} takes another than 0 on
 *     RoCE and of provider {@code iwarp} only, elsewhere the connecting side alone can choose
 * @param localAddress the address to connect from, null for any
 * @param options options of the provider for this connection alone, by name; each provider documents its own and
 *     refuses unknown ones, as with {@link OpenConfig#options()}
 * @param tls how a connection that is asked for is protected by TLS, null for none; null to accept, where the
 *     listener's counts
 * @param retryTimes how long is waited before something is sent again; others than the defaults need
 *     {@link Capabilities.Feature#RETRY_TIMES}
 */
// The array is copied on the way in and out.
@SuppressWarnings("ArrayRecordComponent")
public record ConnectionConfig(
        byte[] privateData,
        int responderResources,
        int initiatorDepth,
        boolean peerToPeer,
        int retryCount,
        int rnrRetryCount,
        int typeOfService,
        @Nullable InetSocketAddress localAddress,
        Map<String, String> options,
        @Nullable TlsConfig tls,
        RetryTimes retryTimes) {
    private static final ConnectionConfig DEFAULT =
            new ConnectionConfig(new byte[0], 16, 16, true, 7, 7, 0, null, Map.of(), null, RetryTimes.defaults());

    /** Copies the private data and the options. */
    public ConnectionConfig {
        privateData = privateData.clone();
        options = Map.copyOf(options);
    }

    /** Returns no private data, depths of 16 both ways, peer-to-peer. */
    public static ConnectionConfig defaults() {
        return DEFAULT;
    }

    /** Returns a copy of the private data. */
    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    /** Returns a copy with {@code data} for the peer's application. */
    public ConnectionConfig withPrivateData(byte[] data) {
        return new ConnectionConfig(
                data,
                responderResources,
                initiatorDepth,
                peerToPeer,
                retryCount,
                rnrRetryCount,
                typeOfService,
                localAddress,
                options,
                tls,
                retryTimes);
    }

    /** Returns a copy with other depths: {@code responder} (IRD) and {@code initiator} (ORD). */
    public ConnectionConfig withDepths(int responder, int initiator) {
        return new ConnectionConfig(
                privateData,
                responder,
                initiator,
                peerToPeer,
                retryCount,
                rnrRetryCount,
                typeOfService,
                localAddress,
                options,
                tls,
                retryTimes);
    }

    /** Returns a copy with or without the peer-to-peer model. */
    public ConnectionConfig withPeerToPeer(boolean enabled) {
        return new ConnectionConfig(
                privateData,
                responderResources,
                initiatorDepth,
                enabled,
                retryCount,
                rnrRetryCount,
                typeOfService,
                localAddress,
                options,
                tls,
                retryTimes);
    }

    /** Returns a copy with retry counts, each 0 to 7. */
    public ConnectionConfig withRetries(int retry, int rnrRetry) {
        return new ConnectionConfig(
                privateData,
                responderResources,
                initiatorDepth,
                peerToPeer,
                retry,
                rnrRetry,
                typeOfService,
                localAddress,
                options,
                tls,
                retryTimes);
    }

    /** Returns a copy with other times before something is sent again. */
    public ConnectionConfig withRetryTimes(RetryTimes times) {
        return new ConnectionConfig(
                privateData,
                responderResources,
                initiatorDepth,
                peerToPeer,
                retryCount,
                rnrRetryCount,
                typeOfService,
                localAddress,
                options,
                tls,
                times);
    }

    /** Returns a copy with an IP type of service. */
    public ConnectionConfig withTypeOfService(int tos) {
        return new ConnectionConfig(
                privateData,
                responderResources,
                initiatorDepth,
                peerToPeer,
                retryCount,
                rnrRetryCount,
                tos,
                localAddress,
                options,
                tls,
                retryTimes);
    }

    /** Returns a copy that connects from {@code address}. */
    public ConnectionConfig withLocalAddress(InetSocketAddress address) {
        return new ConnectionConfig(
                privateData,
                responderResources,
                initiatorDepth,
                peerToPeer,
                retryCount,
                rnrRetryCount,
                typeOfService,
                address,
                options,
                tls,
                retryTimes);
    }

    /**
     * Returns a copy that asks for TLS, which the peer must want as well; needs {@link Capabilities.Feature#TLS}. The
     * host name of the address that is connected to is the one that the peer's certificate must have.
     */
    public ConnectionConfig withTls(TlsConfig config) {
        return new ConnectionConfig(
                privateData,
                responderResources,
                initiatorDepth,
                peerToPeer,
                retryCount,
                rnrRetryCount,
                typeOfService,
                localAddress,
                options,
                config,
                retryTimes);
    }

    /** Returns a copy with the provider's option {@code name} set for this connection. */
    public ConnectionConfig with(String name, String value) {
        Map<String, String> more = new HashMap<>(options);
        more.put(name, value);
        return new ConnectionConfig(
                privateData,
                responderResources,
                initiatorDepth,
                peerToPeer,
                retryCount,
                rnrRetryCount,
                typeOfService,
                localAddress,
                more,
                tls,
                retryTimes);
    }
}
