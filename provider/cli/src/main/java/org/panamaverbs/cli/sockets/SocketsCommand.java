package org.panamaverbs.cli.sockets;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.cli.command.BuildVersion;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.JsonWriter;
import org.panamaverbs.cli.command.NamedAddress;
import org.panamaverbs.cli.command.OpenDevice;
import org.panamaverbs.cli.command.Subcommand;
import org.panamaverbs.sockets.rules.RdmaUse;
import org.panamaverbs.sockets.rules.SocketRules;
import org.panamaverbs.sockets.rules.Verdict;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code verbs sockets}: what the rules say of an address. */
@Command(
        name = "sockets",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        description = {
            "Show how sockets over RDMA connect to an address, or listen at it, and which rule decides.",
            "",
            "For programs whose SelectorProvider is org.panamaverbs.sockets.RdmaSelectorProvider. Nothing is sent:"
                    + " only a connection shows whether a peer has RDMA."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbs sockets --rules=some.rules 10.0.0.7 9092",
            "  verbs sockets --rules=require localhost 80",
            "  verbs sockets --json 10.0.0.7 9092"
        })
public final class SocketsCommand extends Subcommand {
    private static final int MOST_PORT = 65_535;

    @Option(
            names = "--rules",
            paramLabel = "RULES",
            description = "What -D" + SocketRules.PROPERTY
                    + " of the program is: require, auto, off, or a file of rules (default: as without the property).")
    private @Nullable String rules;

    @Option(names = "--json", description = "Write JSON.")
    private boolean json;

    @SuppressWarnings("NullAway.Init") // picocli injects it
    @Parameters(index = "0", paramLabel = "ADDRESS", description = "The address to connect to or to listen at.")
    private String host;

    @Parameters(index = "1", paramLabel = "PORT", description = "The port to connect to or to listen at.")
    private int port;

    @Override
    public Integer call() {
        SocketRules its = rules();
        InetSocketAddress address = address();
        Device device = device();
        Transport transport = device.transport();
        Way connect = way("connect", its.toConnect(address), SocketsCommand::connecting, transport);
        Way listen = way("listen", its.toListen(address), SocketsCommand::listening, transport);
        PrintWriter out = out();
        out.println(json ? json(address, device, connect, listen) : text(device, connect, listen));
        out.flush();
        return ExitStatus.OK;
    }

    /** Which device a program would have; without one {@code failure} says why. */
    private record Device(
            String name,
            String provider,
            @Nullable Transport transport,
            @Nullable String failure) {}

    /** How a socket goes that does {@code operation}. */
    private record Way(String operation, String use, String how, String why) {}

    private SocketRules rules() {
        try {
            return rules == null ? SocketRules.configured() : SocketRules.named(rules);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.ofUsage(String.valueOf(e.getMessage()), e);
        }
    }

    private InetSocketAddress address() {
        require(port >= 0 && port <= MOST_PORT, "PORT must be 0 to " + MOST_PORT + ", got " + port);
        return NamedAddress.resolved(host, port);
    }

    /**
     * Returns the device that a program would have.
     *
     * @throws CommandFailure if the environment names one that does not exist
     */
    private static Device device() {
        try (Verbs verbs = OpenDevice.best()) {
            return new Device(
                    verbs.device().name(), verbs.provider(), verbs.device().transport(), null);
        } catch (VerbsException e) {
            return new Device("", "", null, String.valueOf(e.getMessage()));
        }
    }

    private static Way way(
            String operation,
            Verdict verdict,
            BiFunction<RdmaUse, @Nullable Transport, String> how,
            @Nullable Transport transport) {
        RdmaUse use = verdict.use();
        return new Way(operation, use.name().toLowerCase(Locale.ROOT), how.apply(use, transport), verdict.why());
    }

    private static String text(Device device, Way... ways) {
        StringBuilder text = new StringBuilder("device   ");
        if (device.failure() == null) {
            text.append("%s of provider %s, %s".formatted(device.name(), device.provider(), device.transport()));
        } else {
            text.append("none: ").append(device.failure());
        }
        for (Way each : ways) {
            text.append("%n%-8s %s: %s%n         (%s)".formatted(each.operation(), each.use(), each.how(), each.why()));
        }
        return text.toString();
    }

    private static String json(InetSocketAddress address, Device device, Way... ways) {
        JsonWriter writer = new JsonWriter();
        writer.object().field("version", BuildVersion.text());
        writer.field("address", address.getAddress().getHostAddress()).field("port", address.getPort());
        if (device.failure() == null) {
            writer.name("device").object().field("name", device.name());
            writer.field("provider", device.provider());
            writer.field("transport", String.valueOf(device.transport())).end();
        } else {
            writer.field("failure", device.failure());
        }
        for (Way each : ways) {
            writer.name(each.operation()).object().field("use", each.use());
            writer.field("how", each.how()).field("why", each.why()).end();
        }
        return writer.end().toString();
    }

    private static String connecting(RdmaUse use, @Nullable Transport transport) {
        return switch (use) {
            case OFF -> "over plain TCP";
            case REQUIRE -> transport == null ? "not at all, since there is no device" : "over RDMA, or not at all";
            case AUTO ->
                transport == null
                        ? "over plain TCP, since there is no device"
                        : "over RDMA, or over plain TCP if the peer does not answer over RDMA";
        };
    }

    private static String listening(RdmaUse use, @Nullable Transport transport) {
        if (use != RdmaUse.AUTO || transport == null) {
            return connecting(use, transport);
        }
        return transport == Transport.IWARP
                ? "over RDMA only, since iWARP uses the port of TCP"
                : "over RDMA and over plain TCP, at one number";
    }
}
