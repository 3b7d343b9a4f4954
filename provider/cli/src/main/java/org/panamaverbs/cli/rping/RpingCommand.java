package org.panamaverbs.cli.rping;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.cli.command.BuildVersion;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.NamedAddress;
import org.panamaverbs.cli.command.OpenDevice;
import org.panamaverbs.cli.command.ProviderFlags;
import org.panamaverbs.cli.command.Subcommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code verbs rping}: the ping of rdma-core, compatible on the wire and in its options. */
@Command(
        name = "rping",
        versionProvider = BuildVersion.class,
        sortOptions = false,
        description = {
            "RDMA ping: the client's data is read and written back by the server.",
            "Talks to the rping of rdma-core, on this or another machine."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbs rping -s -a 0.0.0.0 -v           serve one client, print what arrives",
            "  verbs rping -c -a 10.0.0.1 -C 100 -V   send 100 pings, check what comes back"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all pings returned (client), the client was served to its end (server)",
            "1:data differed, the connection failed, or a wait took longer than --timeout",
            "2:the command line was wrong"
        })
public final class RpingCommand extends Subcommand {
    private static final int MAX_SIZE = 1 << 30;

    @Option(names = "-s", description = "Be the server.")
    private boolean server;

    @Option(names = "-c", description = "Be the client.")
    private boolean client;

    @Option(
            names = "-a",
            paramLabel = "ADDR",
            description = "Address to listen at (default: any) or to connect to; IPv4, IPv6 or a name.")
    private @Nullable String address;

    @Option(
            names = "-p",
            paramLabel = "PORT",
            defaultValue = "7174",
            description = "Port (default: ${DEFAULT-VALUE}); a server accepts 0 for any and prints the one it uses.")
    private int port;

    @Option(names = "-C", paramLabel = "N", description = "Client: number of pings, 0 for no limit (default).")
    int count;

    @Option(
            names = "-S",
            paramLabel = "SIZE",
            defaultValue = "64",
            description = "Bytes of a ping (default: ${DEFAULT-VALUE}); the same on both sides. "
                    + "The rping of rdma-core takes up to 65535.")
    int size;

    @Option(names = "-v", description = "Print the data of each ping.")
    boolean verbose;

    @Option(names = "-V", description = "Client: check that the returned data are what was sent.")
    boolean validate;

    @Option(names = "-P", description = "Server: serve any number of clients, until interrupted.")
    boolean persistent;

    @Option(names = "-I", paramLabel = "ADDR", description = "Client: address to connect from.")
    @Nullable
    String source;

    @Option(names = "-d", description = "Log to the standard error what happens.")
    boolean debug;

    @SuppressWarnings("UnusedVariable") // takes no notice of it, on purpose
    @Option(names = "-q", description = "Accepted for compatibility: rping always creates the queue pair itself.")
    private boolean ownQueuePair;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "Limit of each wait for a connected peer (default: ${DEFAULT-VALUE}). "
                    + "A server waits for clients without limit.")
    private int timeoutSeconds;

    @Mixin
    private final ProviderFlags provider = new ProviderFlags();

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Option(names = "--version", versionHelp = true, description = "Show the version.")
    private boolean version;

    private Consumer<InetSocketAddress> listening = address -> {};

    /** Has a server call {@code observer} with its address as soon as clients can connect. */
    void onListening(Consumer<InetSocketAddress> observer) {
        listening = observer;
    }

    @Override
    public Integer call() {
        check();
        RpingConsole console = new RpingConsole(out(), line().getErr(), debug);
        try (Verbs verbs = OpenDevice.best(null, provider.settings())) {
            console.debug("provider " + verbs.provider() + " (" + verbs.selection() + "), device "
                    + verbs.device().name());
            if (server) {
                new RpingServer(this, console).run(verbs, listening);
            } else {
                new RpingClient(this, console).run(verbs);
            }
        }
        return ExitStatus.OK;
    }

    /**
     * Checks what the command line says.
     *
     * @throws ParameterException saying what is wrong with it
     */
    void check() {
        require(server != client, "Give either -s or -c");
        requirePort(port, server ? 0 : 1);
        require(count >= 0, "Invalid count " + count + " (0 is forever)");
        require(
                size >= PingData.MIN_BYTES && size <= MAX_SIZE,
                "Invalid size " + size + " (valid range is " + PingData.MIN_BYTES + " to " + MAX_SIZE + ")");
        require(timeoutSeconds > 0, "Invalid timeout " + timeoutSeconds + " (seconds, at least 1)");
        require(server || address != null, "A client needs -a ADDR");
        require(client || source == null, "-I is for clients; remedy: use -a, where a server listens");
        require(server || !persistent, "-P is for servers");
    }

    /** Returns where the server is. */
    InetSocketAddress place() {
        return NamedAddress.resolved(address == null ? "0.0.0.0" : address, port);
    }

    Duration timeout() {
        return Duration.ofSeconds(timeoutSeconds);
    }
}
