package org.panamaverbs.api;

import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * How connections are protected by TLS beneath the RDMA protocols (RFC 5040 §8.2.1, RFC 5042 §5.4); for devices with
 * {@link Capabilities.Feature#TLS}. Given by {@link ConnectionConfig#withTls} to connect and by
 * {@link ListenerConfig#withTls} to listen: both sides must want it, or the set-up fails with
 * {@link ConnectionException.Reason#SECURITY}.
 *
 * <p>The protocol is TLS 1.3: earlier versions cannot close one direction alone, which RDMAP needs. Certificates, keys
 * and whom to trust are the context's. The side that connects checks that the certificate is the host's it connects to,
 * as HTTPS does (RFC 2818); a host that was given as an address must be in the certificate as an address.
 *
 * @param context an initialised context; may be shared by any number of configurations
 * @param clientAuthentication whether the side that listens asks its peers for certificates; of no effect to connect
 * @param parameters cipher suites, application protocols, server names and the like, null for the context's; a copy. An
 *     endpoint identification algorithm that is null stands for {@code HTTPS}, an empty one for no check of the host:
 *     do that only if the trust managers check whom they talk to. Its wishes for client authentication count only if
 *     they are stricter than {@code clientAuthentication}
 */
public record TlsConfig(
        SSLContext context,
        ClientAuthentication clientAuthentication,
        @Nullable SSLParameters parameters) {
    /** The protocol. */
    public static final String PROTOCOL = "TLSv1.3";

    /** Whether the side that listens asks its peers for certificates. */
    public enum ClientAuthentication {
        /** It does not. */
        NONE,
        /** It does, and takes peers without one too. */
        WANT,
        /** It does, and refuses peers without one: both sides are authenticated. */
        NEED
    }

    /**
     * Copies the parameters.
     *
     * @throws IllegalArgumentException if the context has no TLS 1.3, or the parameters name protocols without it or
     *     cipher suites that the context does not know
     * @throws IllegalStateException if the context is not initialised
     */
    public TlsConfig {
        requireProtocol(context.getSupportedSSLParameters().getProtocols(), "the SSLContext " + context.getProtocol());
        if (parameters != null) {
            requireProtocol(parameters.getProtocols(), "the SSLParameters");
            parameters = copy(context, parameters);
        }
    }

    private static void requireProtocol(String @Nullable [] protocols, String whose) {
        if (protocols != null && !List.of(protocols).contains(PROTOCOL)) {
            throw new IllegalArgumentException(
                    PROTOCOL + " is needed: " + whose + " has only " + String.join(", ", Arrays.asList(protocols)));
        }
    }

    // An engine is what the JDK has to copy all of them, whatever its version adds.
    private static SSLParameters copy(SSLContext context, SSLParameters parameters) {
        var engine = context.createSSLEngine();
        engine.setSSLParameters(parameters);
        return engine.getSSLParameters();
    }

    /** Returns a configuration without client authentication, otherwise as {@code context} says. */
    public static TlsConfig of(SSLContext context) {
        return new TlsConfig(context, ClientAuthentication.NONE, null);
    }

    /** Returns a copy of the parameters, null for the context's. */
    @Override
    public @Nullable SSLParameters parameters() {
        return parameters == null ? null : copy(context, parameters);
    }

    /** Returns a copy with another wish for certificates of peers that connect. */
    public TlsConfig withClientAuthentication(ClientAuthentication wish) {
        return new TlsConfig(context, wish, parameters);
    }

    /** Returns a copy with cipher suites, server names and the like; see {@link TlsConfig}. */
    public TlsConfig withParameters(SSLParameters given) {
        return new TlsConfig(context, clientAuthentication, given);
    }
}
