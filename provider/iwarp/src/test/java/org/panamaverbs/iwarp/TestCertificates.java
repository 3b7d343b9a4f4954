package org.panamaverbs.iwarp;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Objects;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Certificates for tests, and nothing else: their keys are public. {@code src/test/resources/tls/README.md} tells how
 * they are made.
 */
public final class TestCertificates {
    /** Of {@code localhost}, 127.0.0.1 and ::1. */
    public static final String SERVER = "server";

    /** Of somebody who connects. */
    public static final String CLIENT = "client";

    /** Of {@code localhost}, but of February 2020. */
    public static final String EXPIRED = "expired";

    /** Of another host. */
    public static final String ELSEWHERE = "elsewhere";

    /** Of {@code localhost}, by nobody who is trusted. */
    public static final String STRANGER = "stranger";

    private static final String AUTHORITY = "authority";
    private static final char[] PASSWORD = "of tests".toCharArray();
    private static final KeyStore STORE = read();

    private TestCertificates() {}

    /** Returns a context with the certificate {@code who}, null for none, that trusts our authority. */
    public static SSLContext context(@Nullable String who) {
        return context(who, trust());
    }

    /** Returns a context with the certificate {@code who}, null for none, that asks {@code trust}. */
    public static SSLContext context(@Nullable String who, TrustManager... trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(who == null ? new KeyManager[0] : keys(who), trust, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns who trusts our authority alone. */
    public static TrustManager[] trust() {
        try {
            KeyStore trusted = empty();
            trusted.setCertificateEntry(AUTHORITY, STORE.getCertificate(AUTHORITY));
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(trusted);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyManager[] keys(String who) throws GeneralSecurityException, IOException {
        KeyStore own = empty();
        own.setKeyEntry(who, STORE.getKey(who, PASSWORD), PASSWORD, STORE.getCertificateChain(who));
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(own, PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, PASSWORD);
        return store;
    }

    private static KeyStore read() {
        try (InputStream in = TestCertificates.class.getResourceAsStream("/tls/certificates.p12")) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(Objects.requireNonNull(in, "certificates.p12"), PASSWORD);
            return store;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
