package org.panamaverbs.cli.perf;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.cli.CommandRun;
import picocli.CommandLine;

/** A server of {@code verbs perf} in a thread of this process. */
final class PerfRun {
    private final CompletableFuture<InetSocketAddress> address = new CompletableFuture<>();
    private final CompletableFuture<Boolean> serving = new CompletableFuture<>();
    private final CompletableFuture<CommandRun> served;

    private PerfRun(String... arguments) {
        PerfCommand command = new PerfCommand();
        command.onListening(address::complete);
        command.onServing(() -> serving.complete(true));
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-p", "0", "--bind", "127.0.0.1"));
        served = CompletableFuture.supplyAsync(
                () -> CommandRun.of(new CommandLine(command), all.toArray(String[]::new)),
                task -> Thread.ofPlatform().daemon().start(task));
    }

    /** Starts a command with {@code arguments}, the test first. */
    static PerfRun server(String... arguments) {
        return new PerfRun(arguments);
    }

    InetSocketAddress address() throws Exception {
        return address.get(30, TimeUnit.SECONDS);
    }

    /** Waits until it has a client. */
    void awaitClient() throws Exception {
        serving.get(30, TimeUnit.SECONDS);
    }

    /** Runs a client in the calling thread. */
    CommandRun client(String test, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(
                List.of("perf", test, "127.0.0.1", "-p", "" + address().getPort()));
        all.addAll(List.of(arguments));
        return CommandRun.of(all.toArray(String[]::new));
    }

    /** Waits for its end. */
    CommandRun end() throws Exception {
        return served.get(30, TimeUnit.SECONDS);
    }
}
