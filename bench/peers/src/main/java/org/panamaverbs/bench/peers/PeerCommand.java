package org.panamaverbs.bench.peers;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One side of a measurement: without a port the server, which prints {@code port N}; with it the client. */
@Command(
        name = "peer",
        sortOptions = false,
        description = "Measures messages over Netty, Aeron or JUCX on the loopback; bench/compare starts it.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:measured, or served to the client's end",
            "1:it failed",
            "2:the command line was wrong",
            "77:not possible here; why is on the standard error"
        })
public final class PeerCommand implements Callable<Integer> {
    private static final int NOT_HERE = 77;

    @Parameters(index = "0", paramLabel = "LIBRARY", description = "${COMPLETION-CANDIDATES}.")
    private Library library = Library.NETTY;

    @Parameters(index = "1", paramLabel = "TEST", description = "${COMPLETION-CANDIDATES}.")
    private Plan.Test test = Plan.Test.PING_PONG;

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "PORT",
            description = "What the server printed, for the client.")
    private @Nullable Integer port;

    @Option(
            names = {"-s", "--size"},
            defaultValue = "64",
            description = "Bytes of a message (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = {"-n", "--count"},
            defaultValue = "50000",
            description = "Messages that are measured (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = {"-w", "--warm-up"},
            defaultValue = "20000",
            description = "Messages before them (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(
            names = {"-b", "--batch"},
            defaultValue = "1",
            description = "Messages of a stream before a flush (default: ${DEFAULT-VALUE}).")
    private int batch;

    @Option(
            names = {"-e", "--events"},
            description = "Sleep until something comes; only Netty can.")
    private boolean events;

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    /** Runs the command and exits. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new PeerCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Plan plan = new Plan(test, size, count, warmUp, batch, !events, false);
        try (Peer peer = library.open(plan)) {
            if (port == null) {
                System.out.println("port " + peer.listen());
                System.out.flush();
                peer.serve();
            } else {
                System.out.println(peer.measure(port).json());
            }
            return 0;
        } catch (Library.MissingException e) {
            System.err.println("not possible here: " + e.getMessage());
            return NOT_HERE;
        }
    }
}
