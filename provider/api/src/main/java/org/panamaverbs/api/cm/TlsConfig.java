package org.panamaverbs.api.cm;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.config.Fields;
import org.panamaverbs.api.device.Capabilities;

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
 * <p>Immutable; fields may be added.
 */
public final class TlsConfig implements Cloneable {
    /** The protocol. */
    public static final String PROTOCOL = "TLSv1.3";

    private static final Fields<TlsConfig> FIELDS = new Fields<>(
            TlsConfig.class,
            TlsConfig::check,
            fields -> fields.and("context", config -> config.context)
                    .and("clientAuthentication", config -> config.clientAuthentication)
                    .and("parameters", config -> config.parameters));

    private final SSLContext context;
    private ClientAuthentication clientAuthentication = ClientAuthentication.NONE;
    private @Nullable SSLParameters parameters;

    /** Whether the side that listens asks its peers for certificates. Values may be added. */
    public enum ClientAuthentication {
        /** It does not. */
        NONE,
        /** It does, and takes peers without one too. */
        WANT,
        /** It does, and refuses peers without one: both sides are authenticated. */
        NEED
    }

    private TlsConfig(SSLContext context) {
        this.context = context;
    }

    /**
     * Returns a configuration without client authentication, otherwise as {@code context} says.
     *
     * @throws IllegalArgumentException if the context has no TLS 1.3
     * @throws IllegalStateException if the context is not initialised
     */
    public static TlsConfig of(SSLContext context) {
        return FIELDS.made(new TlsConfig(context));
    }

    /** Returns the initialised context; may be shared by any number of configurations. */
    public SSLContext context() {
        return context;
    }

    /**
     * Returns whether the side that listens asks its peers for certificates; {@link ClientAuthentication#NONE} by
     * default, of no effect to connect.
     */
    public ClientAuthentication clientAuthentication() {
        return clientAuthentication;
    }

    /** Returns a copy with another wish for certificates of peers that connect. */
    public TlsConfig withClientAuthentication(ClientAuthentication wish) {
        return with(copy -> copy.clientAuthentication = wish);
    }

    /**
     * Returns a copy of the cipher suites, application protocols, server names and the like; null, the default, for the
     * context's. An endpoint identification algorithm that is null stands for {@code HTTPS}, an empty one for no check
     * of the host: do that only if the trust managers check whom they talk to. Its wishes for client authentication
     * count only if they are stricter than {@link #clientAuthentication()}.
     */
    public @Nullable SSLParameters parameters() {
        return parameters == null ? null : copy(context, parameters);
    }

    /**
     * Returns a copy with a copy of {@code given}; see {@link #parameters()}.
     *
     * @throws IllegalArgumentException if they name protocols without TLS 1.3, or cipher suites that the context does
     *     not know
     */
    public TlsConfig withParameters(SSLParameters given) {
        requireProtocol(given.getProtocols(), "the SSLParameters");
        return with(copy -> copy.parameters = copy(context, given));
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

    private TlsConfig with(Consumer<TlsConfig> change) {
        return FIELDS.changed(super::clone, change);
    }

    private void check() {
        requireProtocol(context.getSupportedSSLParameters().getProtocols(), "the SSLContext " + context.getProtocol());
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
