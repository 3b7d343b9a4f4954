package org.panamaverbs.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.cli.command.CommandFailure;

/** perftest's conversation, byte by byte, and between both sides of ours. */
@Timeout(60)
class PerftestSocketTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final PerftestKeys KEYS = new PerftestKeys(0, 16, 1, 2, 3, 4, new Gid(5, 6));

    private Socket near;
    private Socket far;

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            near = new Socket(server.getInetAddress(), server.getLocalPort());
            far = server.accept();
        }
    }

    @AfterEach
    void close() throws IOException {
        near.close();
        far.close();
    }

    @Test
    void clientSaysWhatPerftestSays() throws IOException {
        // As a server of version 6.28 answers; it would go on in another form for one that says the same.
        String answers = "362e323800000000000000000000000000" // version, 16 bytes and one of the next
                        .substring(0, 32)
                + "00002000" + "00000040" // walks through 8192
                + "3400"; // 2048 bytes, code 4
        far.getOutputStream().write(HexFormat.of().parseHex(answers));
        PerftestSocket client = new PerftestSocket(near, true, TIMEOUT);
        assertThat(client.versions()).isEqualTo("6.28");
        assertThat(client.cycle()).isEqualTo(8192);
        assertThat(client.mtu(4096)).isEqualTo(2048);
        assertThat(HexFormat.of().formatHex(far.getInputStream().readNBytes(26)))
                .isEqualTo("362e3036" + "00".repeat(12) + "00001000" + "00000040" + "3500");
    }

    @Test
    void bothSidesUnderstandEachOther() throws IOException {
        PerftestSocket.Report measured = new PerftestSocket.Report(65536, 5000, 11_000.5, 10_000.25, 0.16);
        CompletableFuture<PerftestSocket.Report> server = CompletableFuture.supplyAsync(() -> {
            try {
                PerftestSocket side = new PerftestSocket(far, false, TIMEOUT);
                side.versions();
                side.cycle();
                assertThat(side.mtu(1024)).isEqualTo(1024);
                assertThat(side.handshake(KEYS)).isEqualTo(KEYS);
                return side.reports(PerftestSocket.Report.NOTHING);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        PerftestSocket client = new PerftestSocket(near, true, TIMEOUT);
        assertThat(client.versions()).isEqualTo("6.06");
        client.cycle();
        assertThat(client.mtu(4096)).isEqualTo(1024);
        client.handshake(KEYS);
        assertThat(client.reports(measured)).isEqualTo(PerftestSocket.Report.NOTHING);
        assertThat(server.join()).isEqualTo(measured);
        client.done();
        assertThat(far.getInputStream().readNBytes(5)).isEqualTo("done\0".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void saysWhatAStrangerDid() throws IOException {
        far.getOutputStream().write(Arrays.copyOf("HTTP/1.1 400 Bad".getBytes(StandardCharsets.US_ASCII), 16));
        PerftestSocket client = new PerftestSocket(near, true, TIMEOUT);
        assertThatThrownBy(client::versions)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("no version in perftest's format")
                .hasMessageContaining("without -R there");
        far.shutdownOutput();
        assertThatThrownBy(() -> client.handshake(KEYS))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("ended after 0 bytes of 108")
                .hasMessageContaining("without -R there");
    }

    @Test
    void doesNotWaitForEver() throws IOException {
        PerftestSocket client = new PerftestSocket(near, true, Duration.ofMillis(50));
        assertThatThrownBy(client::versions)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("has sent nothing");
    }
}
