package org.panamaverbs.sockets.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs on java.net, a server and a client in two processes, with the agent. */
@Timeout(400)
class BlockingTest {
    @TempDir
    private Path directory;

    private String agent = "";

    /** Makes a jar with the manifest of the module's; its classes stand on the class path. */
    @BeforeEach
    void makeAgent() throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", "org.panamaverbs.sockets.SocketsAgent");
        Path jar = directory.resolve("agent.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest)) {
            entries.finish();
        }
        agent = "-javaagent:" + jar;
    }

    private void answers(Class<?> program, int callers, int calls, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(options));
        all.add(agent);
        try (ProgramRun serving = ProgramRun.start(program, all, "server");
                ProgramRun calling = ProgramRun.start(
                        program,
                        all,
                        "client",
                        String.valueOf(serving.port()),
                        String.valueOf(callers),
                        String.valueOf(calls))) {
            assertThat(calling.end()).contains("checked " + callers * calls, "ended", "exit 0");
            assertThat(serving.end()).contains("ended", "exit 0").doesNotContain("\nfailed");
        }
    }

    @Test
    void theOldClientOfHttp() throws Exception {
        answers(UrlEcho.class, 8, 25);
    }

    @Test
    @Tag("proof")
    void objectsByRmi() throws Exception {
        answers(RmiEcho.class, 8, 50);
    }

    @Test
    @Tag("proof")
    void rowsOfH2() throws Exception {
        answers(H2Rows.class, 8, 50);
    }

    @Test
    @Tag("proof")
    void tlsOfTheJdk() throws Exception {
        Path store = directory.resolve("keys.p12");
        NettyTest.makeKeys(store);
        answers(
                TlsEcho.class,
                4,
                20,
                "-Djavax.net.ssl.keyStore=" + store,
                "-Djavax.net.ssl.keyStorePassword=" + NettyEcho.PASSWORD,
                "-Djavax.net.ssl.trustStore=" + store,
                "-Djavax.net.ssl.trustStorePassword=" + NettyEcho.PASSWORD);
    }
}
