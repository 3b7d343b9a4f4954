package org.panamaverbs.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The programs in the jars of DiSNI and DaRPC on Maven Central, unmodified, in processes of their own: the one change
 * is the jar that comes first on the class path, the one that users get. They start as the guide says, with native
 * access, by which iwarp has the sockets of libc; two pairs also without. Those pairs wait seconds for DiSNI's threads
 * to end, while other tests run.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "every address of 127.0.0.0/8 is the loopback on Linux alone")
class StockProgramsIT {
    private static final String EXAMPLES = "com.ibm.disni.examples.";
    private static final String BENCHMARKS = "com.ibm.disni.benchmarks.";
    private static final int LIMIT_SECONDS = 60;
    private static final int PORT = 1919;

    /** How a program is started, and what iwarp reaches TCP by then. */
    enum Start {
        NATIVE_ACCESS("--enable-native-access=ALL-UNNAMED", "Libc"),
        PLAIN("", "Nio");

        private final String options;
        private final String sockets;

        Start(String options, String sockets) {
            this.options = options;
            this.sockets = sockets;
        }
    }

    /** What both sides of a pair printed. */
    private record Outputs(String server, String client) {}

    private static long deadline() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    }

    /** The drop-in first, then the jars whose names begin with one of {@code names}, and what they need. */
    private static List<Path> classPath(String... names) throws IOException {
        List<Path> path = new ArrayList<>();
        path.add(Path.of(System.getProperty("disni.jar")));
        try (Stream<Path> stock = Files.list(Path.of(System.getProperty("disni.stock")))) {
            stock.filter(jar -> Stream.concat(Stream.of("commons-cli", "slf4j"), Stream.of(names))
                            .anyMatch(name -> jar.getFileName().toString().startsWith(name)))
                    .sorted()
                    .forEach(path::add);
        }
        assertThat(path).hasSizeGreaterThan(names.length + 2).allMatch(Files::exists);
        return path;
    }

    private static Outputs run(List<Path> classPath, String server, String client, String... arguments)
            throws IOException, InterruptedException {
        return run(Start.NATIVE_ACCESS, classPath, server, client, arguments);
    }

    private static Outputs run(Start start, List<Path> classPath, String server, String client, String... arguments)
            throws IOException, InterruptedException {
        Loopback address = Loopback.fresh();
        List<String> all = new ArrayList<>(List.of("-a", address.host()));
        all.addAll(List.of(arguments));
        String[] given = all.toArray(String[]::new);
        long deadline = deadline();
        try (Program serving = Program.start(classPath, start.options, server, given)) {
            serving.awaitListening(address, PORT, deadline);
            try (Program using = Program.start(classPath, start.options, client, given)) {
                String clientSays = using.end(deadline);
                Outputs outputs = new Outputs(serving.end(deadline), clientSays);
                for (Program program : List.of(serving, using)) {
                    assertThat(program.loaded("org.panamaverbs.iwarp.net.(Libc|Nio)Socket"))
                            .containsExactly("org.panamaverbs.iwarp.net." + start.sockets + "Socket");
                    assertThat(program.output()).doesNotContain("restricted method");
                }
                return outputs;
            }
        }
    }

    @Test
    void verbsExampleReadsTheServersMemory() throws Exception {
        Outputs outputs = run(classPath("disni-2.0"), EXAMPLES + "VerbsServer", EXAMPLES + "VerbsClient");
        String stag = stag(outputs.client());
        assertThat(outputs.client())
                .contains("VerbsClient::read memory from server: This is a RDMA/read on stag " + stag + " !");
        assertThat(outputs.server()).contains("VerbsServer::done");
    }

    @Test
    void newestDisniRunsTheSameExample() throws Exception {
        Outputs outputs =
                run(classPath("disni-2.1", "disni-2.0-tests"), EXAMPLES + "VerbsServer", EXAMPLES + "VerbsClient");
        assertThat(outputs.client())
                .contains(
                        "VerbsClient::read memory from server: This is a RDMA/read on stag " + stag(outputs.client()));
        assertThat(outputs.server()).contains("VerbsServer::done");
    }

    @ParameterizedTest
    @EnumSource
    @Execution(ExecutionMode.CONCURRENT)
    void readExampleReadsMoreEachTime(Start start) throws Exception {
        Outputs outputs = run(start, classPath("disni-2.0"), EXAMPLES + "ReadServer", EXAMPLES + "ReadClient");
        String text = "This is a RDMA/read on stag " + stag(outputs.client()) + " !";
        for (int characters = 5; characters < text.length(); characters += 5) {
            assertThat(outputs.client()).contains("read memory from server: " + text.substring(0, characters));
        }
        assertThat(outputs.client())
                .contains("read memory from server: " + text)
                .contains("closing endpoint, done");
        assertThat(outputs.server()).contains("ReadServer::final message");
    }

    @ParameterizedTest
    @EnumSource
    @Execution(ExecutionMode.CONCURRENT)
    void sendRecvExampleGreetsBothWays(Start start) throws Exception {
        Outputs outputs = run(start, classPath("disni-2.0"), EXAMPLES + "SendRecvServer", EXAMPLES + "SendRecvClient");
        assertThat(outputs.server()).contains("Message from the client: Hello from the client");
        assertThat(outputs.client()).contains("Message from the server: Hello from the server");
        assertThat(outputs.server()).contains("group closed");
        assertThat(outputs.client()).contains("group closed");
    }

    @Test
    void readBenchmarkEnds() throws Exception {
        Outputs outputs = run(
                classPath("disni-2.0"),
                BENCHMARKS + "ReadServer",
                BENCHMARKS + "ReadClient",
                "-k",
                "500",
                "-s",
                "4096");
        assertThat(outputs.client()).containsPattern("ReadClient, latency \\d+");
        assertThat(outputs.server()).contains("ReadServer, final message");
    }

    @Test
    void sendRecvBenchmarkEndsThoughReceivesAreLeft() throws Exception {
        Outputs outputs = run(
                classPath("disni-2.0"),
                BENCHMARKS + "SendRecvServer",
                BENCHMARKS + "SendRecvClient",
                "-k",
                "1000",
                "-s",
                "64");
        assertThat(outputs.client()).containsPattern("iops \\d");
        assertThat(outputs.server()).contains("SendRecvServer, client connected");
    }

    @Test
    void benchmarkAgainstTcpEnds() throws Exception {
        Outputs outputs = run(
                classPath("disni-2.0"),
                BENCHMARKS + "RDMAvsTcpBenchmarkServer",
                BENCHMARKS + "RDMAvsTcpBenchmarkClient",
                "-k",
                "300",
                "-s",
                "64");
        assertThat(outputs.client()).contains("RDMA result:").contains("TCP result:");
    }

    @Test
    void darpcCallsAndAnswers() throws Exception {
        Loopback address = Loopback.fresh();
        List<Path> classPath = classPath("disni-2.1", "darpc-");
        long deadline = deadline();
        String server = "com.ibm.darpc.examples.server.DaRPCServer";
        try (Program serving = Program.start(classPath, Start.NATIVE_ACCESS.options, server, "-a", address.host())) {
            serving.awaitListening(address, PORT, deadline);
            String[] arguments = {"-a", address.host(), "-k", "300", "-n", "2", "-c", "2", "-m", "stream-poll"};
            try (Program using = Program.start(
                    classPath, Start.NATIVE_ACCESS.options, "com.ibm.darpc.examples.client.DaRPCClient", arguments)) {
                assertThat(using.end(deadline)).contains("ops 600.0").contains("finished joining worker 1");
            }
            // The example serves for ever; that it goes on is its success.
            assertThat(serving.isAlive()).isTrue();
            assertThat(serving.output()).contains("new connection 2");
        }
    }

    @Test
    void providerThatIsNotThereIsNamed() throws Exception {
        try (Program alone = Program.start(
                classPath("disni-2.0"),
                "-Dcom.ibm.jverbs.provider=no.such.Provider",
                EXAMPLES + "VerbsClient",
                "-a",
                Loopback.fresh().host())) {
            assertThat(alone.fail(deadline()))
                    .contains("no.such.Provider")
                    .contains("com.ibm.jverbs.provider")
                    .contains("leave the property out");
        }
    }

    @Test
    void clientWithoutServerIsToldWhy() throws Exception {
        try (Program alone = Program.start(
                classPath("disni-2.0"),
                Start.NATIVE_ACCESS.options,
                EXAMPLES + "ReadClient",
                "-a",
                Loopback.fresh().host())) {
            alone.awaitOutput("java.io.IOException: connect: ", deadline());
        }
    }

    private static String stag(String clientSays) {
        var matcher = Pattern.compile("key (-?\\d+)").matcher(clientSays);
        assertThat(matcher.find()).as(clientSays).isTrue();
        return matcher.group(1);
    }
}
