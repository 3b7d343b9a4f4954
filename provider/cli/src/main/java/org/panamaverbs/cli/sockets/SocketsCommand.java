package org.panamaverbs.cli.sockets;

import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.DeviceInfo.Transport;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.cli.command.BuildVersion;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.OpenDevice;
import org.panamaverbs.sockets.rules.RdmaUse;
import org.panamaverbs.sockets.rules.SocketRules;
import org.panamaverbs.sockets.rules.Verdict;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verbs sockets}: what the rules say of an address. */
@Command(
        name = "sockets",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        description = {
            "Show how sockets over RDMA go to an address, or listen at it: what the rules say, and which of them.",
            "",
            "For programs whose SelectorProvider is org.panamaverbs.sockets.RdmaSelectorProvider. Nothing is sent: whether"
                    + " a peer has RDMA is known when it is connected to."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  verbs sockets --rules=some.rules 10.0.0.7 9092", "  verbs sockets --rules=require localhost 80"})
public final class SocketsCommand implements Callable<Integer> {
    private static final int MOST_PORT = 65_535;

    @Option(
            names = "--rules",
            paramLabel = "RULES",
            description = "What -D" + SocketRules.PROPERTY
                    + " of the program is: require, auto, off, or a file of rules (default: as without the property).")
    private @Nullable String rules;

    @SuppressWarnings("NullAway.Init") // picocli injects it
    @Parameters(index = "0", paramLabel = "ADDRESS", description = "The peer's address, or where it is listened.")
    private String host;

    @Parameters(index = "1", paramLabel = "PORT", description = "The peer's port, or where it is listened.")
    private int port;

    @SuppressWarnings("NullAway.Init") // picocli injects it
    @Spec
    private CommandSpec spec;

    /** Creates the command for picocli to fill. */
    public SocketsCommand() {}

    @Override
    public Integer call() {
        SocketRules its = rules();
        InetSocketAddress address = address();
        PrintWriter out = spec.commandLine().getOut();
        @Nullable Transport transport = transport(out);
        print(
                out,
                "connect",
                its.toConnect(address),
                connecting(its.toConnect(address).use(), transport));
        print(
                out,
                "listen",
                its.toListen(address),
                listening(its.toListen(address).use(), transport));
        out.flush();
        return ExitStatus.OK;
    }

    private SocketRules rules() {
        try {
            return rules == null ? SocketRules.configured() : SocketRules.named(rules);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()));
        }
    }

    private InetSocketAddress address() {
        if (port < 0 || port > MOST_PORT) {
            throw new ParameterException(spec.commandLine(), "PORT: 0 to " + MOST_PORT + ", and not " + port);
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new CommandFailure("the address " + host + " does not resolve: getent hosts " + host
                    + " asks for it; or give an IP address");
        }
    }

    /** Prints which device a program would have; null if it has none. */
    private static @Nullable Transport transport(PrintWriter out) {
        try (Verbs verbs = OpenDevice.best()) {
            Transport transport = verbs.device().transport();
            out.printf("device   %s of provider %s, %s%n", verbs.device().name(), verbs.provider(), transport);
            return transport;
        } catch (CommandFailure | VerbsException e) {
            out.printf("device   none: %s%n", e.getMessage());
            return null;
        }
    }

    private static void print(PrintWriter out, String operation, Verdict verdict, String how) {
        String use = verdict.use().name().toLowerCase(Locale.ROOT);
        out.printf("%-8s %s: %s%n         (%s)%n", operation, use, how, verdict.why());
    }

    private static String connecting(RdmaUse use, @Nullable Transport transport) {
        return switch (use) {
            case OFF -> "by plain TCP";
            case REQUIRE -> transport == null ? "not at all, as there is no device" : "by RDMA, or not at all";
            case AUTO ->
                transport == null
                        ? "by plain TCP, as there is no device"
                        : "by RDMA, and by plain TCP if the peer does not answer so";
        };
    }

    private static String listening(RdmaUse use, @Nullable Transport transport) {
        if (use != RdmaUse.AUTO || transport == null) {
            return connecting(use, transport);
        }
        return transport == Transport.IWARP
                ? "by RDMA alone, as iWARP takes the port of TCP"
                : "by RDMA and by plain TCP, at one number";
    }
}
