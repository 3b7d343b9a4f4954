package org.panamaverbs.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.sockets.rules.SocketRules;
import org.panamaverbs.sockets.tcp.Ways;

/** A program that knows {@code java.nio} alone, in a process of its own, by the property that names a provider. */
@Timeout(60)
class UnmodifiedProgramTest {
    private static final String RULES = "-D" + SocketRules.PROPERTY + "=";

    private static final String EXPORT = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";

    /** The program. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws IOException {
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            try (ServerSocketChannel listener = ServerSocketChannel.open().bind(any);
                    SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                    SocketChannel accepted = listener.accept();
                    DatagramChannel datagrams = DatagramChannel.open();
                    Selector selector = Selector.open()) {
                client.configureBlocking(false);
                client.register(selector, SelectionKey.OP_READ);
                datagrams.configureBlocking(false);
                datagrams.register(selector, SelectionKey.OP_READ);
                accepted.write(ByteBuffer.wrap(new byte[] {1}));
                while (selector.selectedKeys().isEmpty()) {
                    selector.select();
                }
                System.out.println("read " + client.read(ByteBuffer.allocate(10)) + " by " + client);
            }
        }
    }

    /** A program that leaves at once when it has written and closed. */
    static final class Leaver {
        /** More than a socket of TCP takes at once. */
        static final int OCTETS = 8_000_000;

        private Leaver() {}

        public static void main(String[] arguments) throws IOException {
            InetSocketAddress server =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
            try (SocketChannel client = SocketChannel.open()) {
                client.setOption(StandardSocketOptions.SO_SNDBUF, OCTETS).connect(server);
                client.write(ByteBuffer.allocate(OCTETS));
            }
            System.exit(0);
        }
    }

    /** A program that closes what it wrote to when it is told to end, behind everybody else who is told. */
    static final class LastLeaver {
        private LastLeaver() {}

        public static void main(String[] arguments) throws IOException {
            InetSocketAddress server =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
            SocketChannel client = SocketChannel.open();
            client.setOption(StandardSocketOptions.SO_SNDBUF, Leaver.OCTETS).connect(server);
            client.write(ByteBuffer.allocate(Leaver.OCTETS));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> closeLast(client)));
            System.exit(0);
        }

        private static void closeLast(SocketChannel client) {
            try (client) {
                for (Thread each : Thread.getAllStackTraces().keySet()) {
                    if (each.getName().equals("rsockets-end")) {
                        each.join();
                    }
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A program that listens at any address until its input ends. */
    static final class Listening {
        private Listening() {}

        public static void main(String[] arguments) throws IOException {
            try (ServerSocketChannel listener = ServerSocketChannel.open().bind(null)) {
                System.out.println(listener.socket().getLocalPort());
                System.out.println(listener.getLocalAddress());
                while (System.in.read() >= 0) {
                    // It goes on.
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"require", "auto", "off"})
    void listensOverIpv4AloneIfTheJdkIsToldTo(String use) throws Exception {
        Process process =
                ChildProcess.start(Listening.class, List.of(EXPORT, RULES + use, "-Djava.net.preferIPv4Stack=true"));
        try (BufferedReader said = process.inputReader()) {
            int port = Integer.parseInt(lineWithout(said, "INFO"));
            assertThat(lineWithout(said, "INFO")).startsWith("/0.0.0.0:");
            InetSocketAddress ipv6 = new InetSocketAddress(InetAddress.ofLiteral("::1"), port);
            assertThatThrownBy(() -> SocketChannel.open(ipv6)).isInstanceOf(ConnectException.class);
            SocketChannel.open(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port))
                    .close();
        } finally {
            process.getOutputStream().close();
            process.waitFor();
        }
    }

    /** Returns the next line that is no line of the log. */
    private static String lineWithout(BufferedReader lines, String level) throws IOException {
        while (true) {
            String line = Objects.requireNonNull(lines.readLine());
            if (!line.contains(level) && !line.contains(Ways.class.getName())) {
                return line;
            }
        }
    }

    private static String run(String... options) throws Exception {
        return run(Program.class, List.of(options));
    }

    private static String run(Class<?> program, List<String> options, String... arguments) throws Exception {
        Process process = ChildProcess.start(program, options, arguments);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    @Test
    void goesByRdma() throws Exception {
        assertThat(run(EXPORT)).contains("read 1 by RdmaSocketChannel[connected");
    }

    @Test
    void goesByTcpIfThatIsTheRule(@TempDir Path directory) throws Exception {
        Path rules = directory.resolve("some.rules");
        Files.writeString(rules, "* 127.0.0.0/8 * off");
        assertThat(run(EXPORT, RULES + rules))
                .contains("read 1 by java.nio.channels.SocketChannel[connected")
                .doesNotContain("INFO");
    }

    @Test
    void goesByTcpWithoutADeviceAndSaysSo() throws Exception {
        assertThat(run(EXPORT, "-Dverbs.device=none"))
                .contains("read 1 by java.nio.channels.SocketChannel[connected")
                .contains("over plain TCP, since RDMA is not available")
                .contains("none");
    }

    @Test
    void isToldWhatIsWrongWithTheRules() throws Exception {
        assertThat(run(EXPORT, RULES + "tcp")).contains("set it to require, auto, off or the path of a file");
        assertThat(run(EXPORT, RULES + "require", "-Dverbs.device=none")).contains("no RDMA device can be opened");
    }

    @Test
    void isToldWhatIsWrongWithASetting() throws Exception {
        assertThat(run(EXPORT, RULES + "off", "-D" + RdmaSelectorProvider.SPIN_PROPERTY + "=soon"))
                .contains("IOException: verbs.sockets.spin=soon: expected a number of microseconds from 0 to 1000000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "auto"})
    void whatItWroteAndTheEndComeThoughItIsGone(String shm) throws Exception {
        leaves(Leaver.class, shm);
    }

    @Test
    void whatItWroteAndTheEndComeThoughItClosesAtItsEnd() throws Exception {
        leaves(LastLeaver.class, "auto");
    }

    private static void leaves(Class<?> leaver, String shm) throws Exception {
        try (Channels channels = new Channels(shm)) {
            ServerSocketChannel listener = channels.closing(channels.provider().openServerSocketChannel())
                    .setOption(StandardSocketOptions.SO_RCVBUF, Leaver.OCTETS)
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            assertThat(run(leaver, List.of(EXPORT, RULES + "require"), String.valueOf(port)))
                    .isEmpty();
            SocketChannel accepted = channels.closing(listener.accept());
            Channels.readFully(accepted, ByteBuffer.allocate(Leaver.OCTETS));
            assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }

    @Test
    void isToldTheFlagThatIsMissing() throws Exception {
        assertThat(run()).contains("--add-exports java.base/sun.nio.ch=ALL-UNNAMED");
    }
}
