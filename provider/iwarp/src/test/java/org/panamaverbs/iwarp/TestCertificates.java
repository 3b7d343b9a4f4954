package org.panamaverbs.iwarp;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Certificates for tests, made by keytool when first needed; nothing of them is kept. */
public final class TestCertificates {
    /** Of {@code localhost}, 127.0.0.1 and ::1. */
    public static final String SERVER = "server";

    /** Of somebody who connects. */
    public static final String CLIENT = "client";

    /** Of {@code localhost}, but of last month. */
    public static final String EXPIRED = "expired";

    /** Of another host. */
    public static final String ELSEWHERE = "elsewhere";

    /** Of {@code localhost}, by nobody who is trusted. */
    public static final String STRANGER = "stranger";

    private static final String AUTHORITY = "authority";
    private static final char[] PASSWORD = "of tests".toCharArray();
    private static final String HERE = "san=dns:localhost,ip:127.0.0.1,ip:::1";
    private static final KeyStore STORE = make();

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

    private static KeyStore make() {
        try {
            Path folder = Files.createTempDirectory("verbs-tls");
            Path file = folder.resolve("store.p12");
            try {
                keytool(file, AUTHORITY, "-ext", "bc:c");
                keytool(file, SERVER, "-signer", AUTHORITY, "-ext", HERE);
                keytool(file, CLIENT, "-signer", AUTHORITY);
                keytool(file, EXPIRED, "-signer", AUTHORITY, "-ext", HERE, "-startdate", "-30d", "-validity", "10");
                keytool(file, ELSEWHERE, "-signer", AUTHORITY, "-ext", "san=dns:elsewhere.example");
                keytool(file, STRANGER, "-ext", HERE);
                KeyStore store = KeyStore.getInstance("PKCS12");
                try (InputStream in = Files.newInputStream(file)) {
                    store.load(in, PASSWORD);
                }
                return store;
            } finally {
                Files.deleteIfExists(file);
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void keytool(Path store, String alias, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-alias",
                alias,
                "-dname",
                "CN=" + alias,
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                store.toString()));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool: " + said);
        }
    }
}
