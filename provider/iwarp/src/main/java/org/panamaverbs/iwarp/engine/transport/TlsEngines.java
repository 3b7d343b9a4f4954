package org.panamaverbs.iwarp.engine.transport;

import java.net.InetSocketAddress;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.api.cm.TlsConfig.ClientAuthentication;

/** Makes what speaks TLS, as configurations say. */
public final class TlsEngines {
    private static final String CHECK_HOST = "HTTPS";

    private TlsEngines() {}

    /** Returns the engine of a connection to {@code peer}. */
    public static SSLEngine connecting(TlsConfig config, InetSocketAddress peer) {
        return connecting(config, host(peer), peer.getPort());
    }

    /** Returns the engine of a connection to {@code port} of {@code host}, as which the peer must prove itself. */
    public static SSLEngine connecting(TlsConfig config, String host, int port) {
        SSLEngine engine = config.context().createSSLEngine(host, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = parameters(config, engine);
        if (parameters.getEndpointIdentificationAlgorithm() == null) {
            parameters.setEndpointIdentificationAlgorithm(CHECK_HOST);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    /** Returns the engine of a connection of a listener. */
    public static SSLEngine listening(TlsConfig config) {
        SSLEngine engine = config.context().createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = parameters(config, engine);
        ClientAuthentication wish = config.clientAuthentication();
        // A peer that connects has no name to be called by.
        parameters.setEndpointIdentificationAlgorithm(null);
        // The one puts the other back: only the stricter of the two wishes may be set.
        if (wish == ClientAuthentication.NEED || parameters.getNeedClientAuth()) {
            parameters.setNeedClientAuth(true);
        } else if (wish == ClientAuthentication.WANT) {
            parameters.setWantClientAuth(true);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    private static SSLParameters parameters(TlsConfig config, SSLEngine engine) {
        SSLParameters given = config.parameters();
        SSLParameters parameters = given == null ? engine.getSSLParameters() : given;
        parameters.setProtocols(new String[] {TlsConfig.PROTOCOL});
        return parameters;
    }

    // The scope of an IPv6 address is this machine's own affair.
    private static String host(InetSocketAddress peer) {
        String host = peer.getHostString();
        int scope = host.indexOf('%');
        return scope < 0 ? host : host.substring(0, scope);
    }
}
