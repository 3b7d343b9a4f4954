package org.panamaverbs.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.sockets.rules.SocketRules;

/** Programs that know {@code java.net} alone, in processes of their own, in each way in which they get our sockets. */
@Timeout(60)
class NetSocketsTest {
    private static final String RULES = "-D" + SocketRules.PROPERTY + "=";
    private static final String NET = "-D" + RdmaSelectorProvider.NET_PROPERTY + "=";
    private static final String EXPORT = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";

    private static final String OVER_RDMA = "read 42, Urgent data not supported";
    private static final String OVER_TCP = "read 42, urgent data sent";

    /** A program. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            converse();
        }

        /** Says whether sockets have urgent data: those over RDMA alone do not. */
        static void converse() throws Exception {
            try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                    Socket client = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
                    Socket accepted = server.accept()) {
                accepted.getOutputStream().write(42);
                System.out.println("read " + client.getInputStream().read() + ", " + urgent(client));
            }
        }

        private static String urgent(Socket socket) throws IOException {
            try {
                socket.sendUrgentData(1);
                return "urgent data sent";
            } catch (SocketException e) {
                return String.valueOf(e.getMessage());
            }
        }
    }

    /** A program that uses {@code java.nio} first. */
    static final class AfterChannels {
        private AfterChannels() {}

        public static void main(String[] arguments) throws Exception {
            try (ServerSocketChannel listener = ServerSocketChannel.open()
                            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                    SocketChannel client = SocketChannel.open(listener.getLocalAddress())) {
                System.out.println(client);
            }
            Program.converse();
        }
    }

    /** A program that asks for our sockets itself. */
    static final class Asking {
        private Asking() {}

        public static void main(String[] arguments) throws Exception {
            RdmaSelectorProvider.installNetSockets();
            RdmaSelectorProvider.installNetSockets();
            Program.converse();
            System.out.println(SelectorProvider.provider().getClass().getName());
        }
    }

    /** A program with a factory of its own. */
    static final class Owner {
        private Owner() {}

        @SuppressWarnings("deprecation")
        public static void main(String[] arguments) throws IOException {
            Socket.setSocketImplFactory(() -> {
                throw new IllegalStateException();
            });
            RdmaSelectorProvider.installNetSockets();
        }
    }

    /** A program with a factory of its own for one of the two, that opens channels. */
    static final class OwnerOfServers {
        private OwnerOfServers() {}

        @SuppressWarnings("deprecation")
        public static void main(String[] arguments) throws IOException {
            ServerSocket.setSocketFactory(() -> {
                throw new IllegalStateException();
            });
            DatagramChannel.open().close();
            for (int i = 0; i < 2; i++) {
                try (SocketChannel channel = SocketChannel.open()) {
                    System.out.println("opened " + channel);
                } catch (IOException e) {
                    System.out.println("refused, " + e.getMessage());
                }
            }
            RdmaSelectorProvider.installNetSockets();
        }
    }

    /** A program that connects to 127.0.0.1 and a port, and prints what it reads. */
    static final class Caller {
        private Caller() {}

        public static void main(String[] arguments) throws IOException {
            try (Socket socket = new Socket()) {
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(20_000);
                int port = Integer.parseInt(arguments[0]);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10_000);
                socket.getOutputStream().write('?');
                String read = new String(socket.getInputStream().readNBytes(5), StandardCharsets.UTF_8);
                System.out.println(read + " " + socket.getPort() + " " + socket.getTcpNoDelay() + " "
                        + socket.getSoTimeout() + " " + Program.urgent(socket));
                socket.shutdownOutput();
                System.out.println(socket.getInputStream().read());
            }
        }
    }

    private static String output(Process process) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    /** Returns the options of an agent with the manifest that the module's jar has. */
    private static List<String> agent(Path directory, String... options) throws IOException {
        Matcher premain =
                Pattern.compile("<Premain-Class>(.*)</Premain-Class>").matcher(Files.readString(Path.of("pom.xml")));
        assertThat(premain.find()).isTrue();
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", premain.group(1));
        Path jar = directory.resolve("agent.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest)) {
            entries.finish();
        }
        List<String> all = new ArrayList<>(List.of(options));
        all.add("-javaagent:" + jar);
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"require", "auto"})
    void goByRdmaWithTheAgentAlone(String use, @TempDir Path directory) throws Exception {
        assertThat(output(ChildProcess.startOverJdk(Program.class, agent(directory, RULES + use))))
                .contains(OVER_RDMA);
        assertThat(output(ChildProcess.startOverJdk(AfterChannels.class, agent(directory, RULES + use))))
                .contains("RdmaSocketChannel[connected", OVER_RDMA);
    }

    @Test
    void areTheJdksWithTheAgentAndTheRuleOff(@TempDir Path directory) throws Exception {
        assertThat(output(ChildProcess.startOverJdk(Program.class, agent(directory, RULES + "off"))))
                .isEqualToIgnoringNewLines(OVER_TCP);
    }

    @Test
    void goByTcpByARuleOfAFile(@TempDir Path directory) throws Exception {
        Path rules = Files.writeString(directory.resolve("some.rules"), "* 127.0.0.0/8 * off");
        assertThat(output(ChildProcess.startOverJdk(Program.class, agent(directory, RULES + rules))))
                .isEqualToIgnoringNewLines(OVER_TCP);
    }

    @Test
    void areTheJdksWithTheAgentIfOnlyChannelsAreAskedFor(@TempDir Path directory) throws Exception {
        assertThat(output(ChildProcess.startOverJdk(
                        AfterChannels.class, agent(directory, RULES + "require", NET + "off"))))
                .contains("RdmaSocketChannel[connected", OVER_TCP);
    }

    @Test
    void leavesAProviderThatIsNamedAsItIs(@TempDir Path directory) throws Exception {
        assertThat(output(ChildProcess.startOverJdk(
                        AfterChannels.class,
                        agent(
                                directory,
                                RULES + "require",
                                "-Djava.nio.channels.spi.SelectorProvider=sun.nio.ch.EPollSelectorProvider"))))
                .contains("java.nio.channels.SocketChannel[connected", OVER_RDMA);
    }

    @Test
    void theAgentTellsWhatIsWrongWithTheRules(@TempDir Path directory) throws Exception {
        assertThat(output(ChildProcess.startOverJdk(Program.class, agent(directory, RULES + "tcp"))))
                .contains("set it to require, auto, off or the path of a file")
                .doesNotContain("read 42");
    }

    @Test
    void goByRdmaWithThePropertyOnceChannelsAreUsed() throws Exception {
        assertThat(output(ChildProcess.start(AfterChannels.class, List.of(EXPORT, RULES + "require", NET + "on"))))
                .contains(OVER_RDMA);
        assertThat(output(ChildProcess.start(AfterChannels.class, List.of(EXPORT, RULES + "require", NET + "off"))))
                .contains(OVER_TCP);
        assertThat(output(ChildProcess.start(AfterChannels.class, List.of(EXPORT, RULES + "require", NET + "yes"))))
                .contains("verbs.sockets.net=yes: expected on or off");
    }

    @Test
    void goByRdmaIfTheProgramAsks() throws Exception {
        assertThat(output(ChildProcess.startOverJdk(Asking.class, List.of(EXPORT, RULES + "require"))))
                .contains(OVER_RDMA, "sun.nio.ch.");
        assertThat(output(ChildProcess.startOverJdk(Asking.class, List.of(RULES + "require"))))
                .contains("--add-exports java.base/sun.nio.ch=ALL-UNNAMED")
                .doesNotContain("read 42");
    }

    @Test
    void refuseAProgramWithAFactoryOfItsOwn() throws Exception {
        assertThat(output(ChildProcess.startOverJdk(Owner.class, List.of(EXPORT, RULES + "require"))))
                .contains("install sockets of java.net: factory already defined; remedy:");
    }

    @Test
    void channelsSayWhatIsHalfInstalled() throws Exception {
        String what = "install sockets of java.net: factory already defined by ServerSocket.setSocketFactory, while";
        assertThat(output(ChildProcess.start(OwnerOfServers.class, List.of(EXPORT, RULES + "require", NET + "on"))))
                .containsSubsequence(
                        "refused, verbs.sockets.net=on: " + what,
                        "; remedy: start the program again without its own factory of ServerSocket",
                        "refused, verbs.sockets.net=on: " + what,
                        "IllegalStateException: " + what)
                .doesNotContain("opened");
    }

    @Test
    void goByRdmaWithoutNativeAccess(@TempDir Path directory) throws Exception {
        String access = "--enable-native-access=java.logging"; // and to nobody else
        assertThat(output(ChildProcess.startOverJdk(AfterChannels.class, agent(directory, access, RULES + "require"))))
                .contains("RdmaSocketChannel[connected", OVER_RDMA);
    }

    /** Serves one client as a SOCKS proxy of version 5 that answers for whoever is asked for; returns what was. */
    private static String proxies(ServerSocket proxy) throws IOException {
        try (Socket accepted = proxy.accept()) {
            InputStream in = accepted.getInputStream();
            in.readNBytes(1);
            in.readNBytes(in.read()); // methods
            accepted.getOutputStream().write(new byte[] {5, 0}); // none
            byte[] request = in.readNBytes(10);
            accepted.getOutputStream().write(new byte[] {5, 0, 0, 1, 127, 0, 0, 1, 0, 1});
            in.readNBytes(1);
            accepted.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
            while (in.read() >= 0) {
                // Until the client ends.
            }
            return request[4] + "." + request[7] + " "
                    + (Byte.toUnsignedInt(request[8]) << Byte.SIZE | Byte.toUnsignedInt(request[9]));
        }
    }

    @Test
    void goThroughAProxyUnlessRdmaIsRequired(@TempDir Path directory) throws Exception {
        try (ServerSocket proxy = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Socket bound = new Socket();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)); // and does not listen: it refuses
            int port = bound.getLocalPort();
            String[] options = {
                "-DsocksProxyHost=127.0.0.1", "-DsocksProxyPort=" + proxy.getLocalPort(), "-DsocksNonProxyHosts="
            };
            Future<String> asked = threads.submit(() -> proxies(proxy));
            assertThat(output(ChildProcess.startOverJdk(Caller.class, agent(directory, options), String.valueOf(port))))
                    .contains("hello " + port + " true 20000 urgent data sent", "-1");
            assertThat(asked.get()).isEqualTo("127.1 " + port);
            List<String> required = agent(directory, options);
            required.add(RULES + "require");
            assertThat(output(ChildProcess.startOverJdk(Caller.class, required, String.valueOf(port))))
                    .contains("ConnectException: Connection refused");
        }
    }
}
