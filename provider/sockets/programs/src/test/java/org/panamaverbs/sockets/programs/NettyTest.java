package org.panamaverbs.sockets.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Netty's NIO transport, a server and a client in two processes. */
@Timeout(400)
class NettyTest {
    private static final List<String> OPTIONS = List.of("-Dio.netty.transport.noNative=true");

    private static void echoes(List<String> options, int connections, int bytes, String... store) throws Exception {
        String[] server = store.length == 0 ? new String[] {"server"} : new String[] {"server", store[0]};
        try (ProgramRun serving = ProgramRun.start(NettyEcho.class, options, server)) {
            String port = String.valueOf(serving.port());
            String[] client = store.length == 0
                    ? new String[] {"client", port, String.valueOf(connections), String.valueOf(bytes)}
                    : new String[] {"client", port, String.valueOf(connections), String.valueOf(bytes), store[0]};
            try (ProgramRun connecting = ProgramRun.start(NettyEcho.class, options, client)) {
                assertThat(connecting.end()).contains("checked " + (long) connections * bytes, "ended", "exit 0");
            }
            assertThat(serving.end()).contains("ended", "exit 0").doesNotContain("failed");
        }
    }

    @Test
    void echoesManyConnections() throws Exception {
        echoes(OPTIONS, 20, 300_003);
    }

    @Test
    @Tag("proof")
    void echoesByTcpWhereTheRulesSaySo() throws Exception {
        echoes(List.of("-Dio.netty.transport.noNative=true", "-Dverbs.sockets.rules=off"), 5, 100_003);
    }

    @Test
    @Tag("proof")
    void echoesOverTls(@TempDir Path directory) throws Exception {
        Path store = directory.resolve("keys.p12");
        makeKeys(store);
        echoes(OPTIONS, 4, 200_003, store.toString());
    }

    static void makeKeys(Path store) throws Exception {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "echo",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        NettyEcho.PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor(100, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).isZero();
    }
}
