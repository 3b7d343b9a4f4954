package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;

/** What went wrong with TLS, and what to do about it; also that only one side wants it. */
public final class TlsErrors {
    // RFC 8446 §5.1 and §6: a record of type alert, two bytes: fatal, unexpected_message.
    private static final byte[] UNEXPECTED_MESSAGE = {0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x0A};
    private static final byte ALERT = 0x15;
    private static final byte HANDSHAKE = 0x16;
    private static final byte MAJOR_VERSION = 0x03;
    private static final byte[] MPA_KEY = {'M', 'P', 'A', ' ', 'I', 'D', ' ', 'R', 'e'};

    /** Only one side wants TLS; the message is what the application is told. */
    private static final class OneSided extends SSLException {
        private static final long serialVersionUID = 1L;

        OneSided(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    private TlsErrors() {}

    // ---- one side alone -------------------------------------------------------------------------------------------

    /** Tells whether {@code octets} begin as an MPA frame does, which no TLS record does. */
    static boolean isPlainMpa(ByteBuffer octets) {
        int length = Math.min(octets.remaining(), MPA_KEY.length);
        for (int i = 0; i < length; i++) {
            if (octets.get(octets.position() + i) != MPA_KEY[i]) {
                return false;
            }
        }
        return length > 0;
    }

    /** Returns the alert that tells a peer without TLS, or whoever watches the wire, what is wrong. */
    static byte[] unexpectedMessage() {
        return UNEXPECTED_MESSAGE.clone();
    }

    /** This side wants TLS, and the peer sent an MPA frame. */
    static SSLException plainPeer(SSLEngine engine) {
        return new OneSided(
                "the peer speaks MPA without TLS, but this side demands TLS; remedy: "
                        + (engine.getUseClientMode()
                                ? "give its ListenerConfig a TlsConfig (withTls), or connect without one"
                                : "have the peer connect with a TlsConfig (ConnectionConfig.withTls)"),
                null);
    }

    /** This side wants TLS, and nothing was heard of the peer before it was gone. */
    static IOException unheard(SSLEngine engine, IOException cause) {
        return engine.getUseClientMode()
                ? new OneSided(
                        "the peer closed instead of answering TLS, as a peer without TLS does; remedy: give its"
                                + " ListenerConfig a TlsConfig (withTls), or connect without one",
                        cause)
                : cause;
    }

    /**
     * This side wants no TLS: tells whether {@code octets} so far, up to the position, are the peer's first of TLS.
     *
     * @throws SSLException saying so
     */
    public static void requirePlain(ByteBuffer octets, boolean connecting) throws SSLException {
        if (octets.position() < 2 || octets.get(1) != MAJOR_VERSION) {
            return;
        }
        if (octets.get(0) == ALERT && connecting) {
            throw new OneSided("the peer demands TLS; remedy: give ConnectionConfig a TlsConfig (withTls)", null);
        }
        if (octets.get(0) == HANDSHAKE && !connecting) {
            throw new OneSided(
                    "the peer begins with TLS, but this listener has none; remedy: give ListenerConfig a TlsConfig"
                            + " (withTls), or have the peer connect without one",
                    null);
        }
    }

    // ---- certificates and the rest --------------------------------------------------------------------------------

    /** Returns why TLS with {@code peer} failed, with what to do. */
    public static ConnectionException failed(String operation, InetSocketAddress peer, SSLException cause) {
        String text = cause instanceof OneSided ? cause.getMessage() : explain(cause, operation.equals("connect"));
        return new ConnectionException(
                operation, Reason.SECURITY, "no TLS with " + Addresses.text(peer) + ": " + text, cause);
    }

    private static String explain(SSLException failure, boolean connecting) {
        String message = String.valueOf(failure.getMessage());
        String lower = message.toLowerCase(Locale.ROOT);
        if (lower.startsWith("received fatal alert")
                || (lower.startsWith("(") && lower.contains(") received fatal alert"))) {
            return message + ": " + ofAlert(lower);
        }
        String remedy;
        if (has(failure, CertificateExpiredException.class)) {
            remedy = "the peer's certificate has expired; remedy: give the peer a new one";
        } else if (has(failure, CertificateNotYetValidException.class)) {
            remedy = "the peer's certificate is not valid yet; remedy: compare the clocks of both sides";
        } else if (has(failure, CertPathBuilderException.class) || lower.contains("certification path")) {
            remedy = "the peer's certificate is not trusted; remedy: add its issuer to the trust managers of the"
                    + " SSLContext";
        } else if (lower.contains("subject alternative") || lower.contains("no name matching")) {
            remedy = "the peer's certificate is for another host; remedy: connect to a name or address that is in it";
        } else if (lower.contains("empty client certificate chain")) {
            remedy = "the peer sent no certificate; remedy: give its SSLContext a key manager with one";
        } else if (lower.contains("no appropriate protocol")
                || lower.contains("no cipher suites in common")
                || lower.contains("no available authentication")) {
            remedy = connecting
                    ? "none of the given cipher suites belongs to TLSv1.3; remedy: leave the cipher suites out, or"
                            + " add one of TLSv1.3"
                    : "the two sides have nothing in common; remedy: check the certificate in the key manager, the"
                            + " cipher suites and TLSv1.3 of both sides";
        } else {
            remedy = "the peer violated TLS, or does not speak TLS";
        }
        return message + ": " + remedy;
    }

    private static String ofAlert(String alert) {
        if (alert.contains("certificate_required")) {
            return "the peer demands a certificate; remedy: give the SSLContext a key manager with one";
        }
        if (alert.contains("certificate") || alert.contains("unknown_ca")) {
            return "the peer does not accept this side's certificate, or this side has none; remedy: give the"
                    + " SSLContext a key manager with a certificate that the peer trusts";
        }
        if (alert.contains("protocol_version")
                || alert.contains("handshake_failure")
                || alert.contains("insufficient_security")) {
            return "the two sides have nothing in common; remedy: enable TLSv1.3 and a common cipher suite on both";
        }
        return "the peer ended the TLS set-up";
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> type) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (type.isInstance(at)) {
                return true;
            }
        }
        return false;
    }
}
