package org.panamaverbs.cli.rping;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.cli.CommandRun;
import org.panamaverbs.cli.command.ExitStatus;
import picocli.CommandLine;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RpingLoopbackTest {
    private final CompletableFuture<InetSocketAddress> address = new CompletableFuture<>();

    private CompletableFuture<CommandRun> server(String... options) {
        RpingCommand command = new RpingCommand();
        command.onListening(address::complete);
        String[] arguments = new String[options.length + 5];
        System.arraycopy(new String[] {"-s", "-a", "127.0.0.1", "-p", "0"}, 0, arguments, 0, 5);
        System.arraycopy(options, 0, arguments, 5, options.length);
        return CompletableFuture.supplyAsync(
                () -> CommandRun.of(new CommandLine(command), arguments),
                task -> Thread.ofPlatform().daemon().start(task));
    }

    private CommandRun client(String... options) throws Exception {
        String port = String.valueOf(address.get(20, TimeUnit.SECONDS).getPort());
        String[] arguments = new String[options.length + 6];
        System.arraycopy(new String[] {"rping", "-c", "-a", "127.0.0.1", "-p", port}, 0, arguments, 0, 6);
        System.arraycopy(options, 0, arguments, 6, options.length);
        return CommandRun.of(arguments);
    }

    @ParameterizedTest
    @ValueSource(ints = {23, 64, 65_536, 1_000_003})
    void pingsComeBackAsTheyWere(int size) throws Exception {
        var server = server("-v", "-S", String.valueOf(size));

        CommandRun client = client("-v", "-V", "-C", "10", "-S", String.valueOf(size));
        CommandRun served = server.get(20, TimeUnit.SECONDS);

        assertThat(client.err()).isEmpty();
        assertThat(client.status()).isEqualTo(ExitStatus.OK);
        assertThat(served.status()).as(served.err()).isEqualTo(ExitStatus.OK);
        assertThat(client.lines()).hasSize(10).allMatch(line -> line.startsWith("ping data: rdma-ping-"));
        assertThat(client.lines()).allMatch(line -> line.length() == "ping data: ".length() + size - 1);
        assertThat(served.lines())
                .isEqualTo(client.lines().stream().map(line -> "server " + line).toList());
        assertThat(served.err())
                .startsWith("listening on 127.0.0.1:" + address.join().getPort());
    }

    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"},
            disabledReason = "memory is shared there only")
    void saysWithDHowThePeerIsReachedAndHowToHaveTcp() throws Exception {
        var server = server("-d", "-P");

        assertThat(client("-d", "-C", "1").err())
                .contains(
                        "shared memory (rings of ", "; both processes are on this host; --option shm=off selects TCP");
        assertThat(client("-d", "-C", "1", "--option", "shm=off").err())
                .contains("connected to ", "CRC32C")
                .doesNotContain("shared memory (", "both processes");
        assertThat(server).isNotDone();
    }

    @Test
    void persistentServerServesClientsAtTheSameTime() {
        var server = server("-P", "-S", "128");

        var clients = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> {
                    try {
                        return client("-V", "-C", "50", "-S", "128");
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }))
                .toList();

        assertThat(clients).allSatisfy(client -> {
            assertThat(client.join().err()).isEmpty();
            assertThat(client.join().status()).isEqualTo(ExitStatus.OK);
        });
        assertThat(server).isNotDone();
    }

    @Test
    void largerPingsThanTheServersAreRefusedByName() throws Exception {
        var server = server("-S", "64");

        CommandRun client = client("-C", "1", "-S", "65");
        CommandRun served = server.get(20, TimeUnit.SECONDS);

        assertThat(served.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(served.err()).contains("the client's pings have 65 bytes, but this server's buffer has 64");
        assertThat(client.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(client.err()).contains("rping: ", "the server's -S must be at least the 65 of this client");
    }

    @Test
    void unreachableServerIsAFailureWithTheReason() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }

        CommandRun run = CommandRun.of("rping", "-c", "-a", "127.0.0.1", "-p", String.valueOf(port), "-C", "1");

        assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.err()).contains("connect", "127.0.0.1").doesNotContain("internal error");
    }

    @Test
    void silentServerRunsIntoTheDeadline() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(silent.getLocalPort());

            CommandRun run = CommandRun.of("rping", "-c", "-a", "127.0.0.1", "-p", port, "-C", "1", "--timeout", "1");

            assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
            assertThat(run.err()).startsWith("verbs rping: ").doesNotContain("internal error");
        }
    }
}
