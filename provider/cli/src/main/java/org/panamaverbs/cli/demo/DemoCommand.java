package org.panamaverbs.cli.demo;

import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.cli.command.BuildVersion;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.OpenDevice;
import org.panamaverbs.cli.command.PeerProcess;
import org.panamaverbs.cli.command.ProviderFlags;
import org.panamaverbs.cli.command.Subcommand;
import org.panamaverbs.memory.RemoteBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code verbs demo}: two processes connect and run every operation the device has on each other. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        description = {
            "Run every RDMA operation between two processes on this machine, and check the data on both sides.",
            "The time is from post to completion, the median of all rounds. A Send or Write completes when its"
                    + " buffer is free again, a Read or atomic when its answer has arrived."
        },
        footer = "%nExits with 0 only if every operation that the device supports succeeded in each round.")
public final class DemoCommand extends Subcommand {
    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "100",
            description = "Rounds (default: ${DEFAULT-VALUE}); operations on 1 MiB run in every tenth.")
    private int rounds;

    @Option(names = "--json", description = "Write JSON.")
    private boolean json;

    @Option(
            names = "--address",
            paramLabel = "ADDR",
            description = "Local address to connect over (default: loopback).")
    private InetAddress address = InetAddress.getLoopbackAddress();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port to connect over (default: any free one).")
    private int port;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "Limit of the whole run (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds;

    @Option(names = "--child", hidden = true, description = "Be the second process.")
    private boolean child;

    @Mixin
    private final ProviderFlags provider = new ProviderFlags();

    @Override
    public Integer call() {
        require(
                rounds >= 1 && rounds <= 1_000_000,
                "Invalid number of rounds " + rounds + " (valid range is 1 to 1000000)");
        requirePort(port, 0);
        require(timeoutSeconds >= 1, "Invalid timeout " + timeoutSeconds + " (seconds, at least 1)");
        if (child) {
            answer(Deadline.in(timeoutSeconds, TimeUnit.SECONDS));
            return ExitStatus.OK;
        }
        DemoReport report = run();
        PrintWriter out = out();
        if (json) {
            out.println(report.json());
        } else {
            out.print(report.table());
        }
        out.flush();
        return report.passed() ? ExitStatus.OK : ExitStatus.FAILED;
    }

    private DemoReport run() {
        Deadline deadline = Deadline.in(timeoutSeconds, TimeUnit.SECONDS);
        List<String> arguments = new ArrayList<>(List.of(
                "demo",
                "--child",
                "--address=" + address.getHostAddress(),
                "--port=" + port,
                "--timeout=" + timeoutSeconds));
        arguments.addAll(provider.arguments());
        try (PeerProcess process = PeerProcess.start(PeerProcess.QUICK_START, arguments)) {
            DemoReport report;
            try {
                report = run(process, deadline);
            } catch (VerbsException e) {
                throw explained(e, process);
            }
            if (report.passed()) {
                requireCleanEnd(process, deadline);
                return report;
            }
            if (deadline.passed()) {
                return report.withNote("stopped after " + timeoutSeconds + " s (--timeout)");
            }
            boolean died = process.exitedIn(Deadline.in(1, TimeUnit.SECONDS)) && process.exitStatus() != ExitStatus.OK;
            return died ? report.withNote("the second process " + process.fate()) : report;
        }
    }

    private DemoReport run(PeerProcess process, Deadline deadline) {
        try (Verbs verbs = OpenDevice.best(null, provider.settings());
                Endpoint endpoint = new Endpoint(verbs, deadline)) {
            InetSocketAddress peer = new InetSocketAddress(address, process.port(deadline));
            Connection connection = verbs.connect(peer, endpoint.queuePair(), ConnectionConfig.defaults(), deadline);
            endpoint.connected(connection);
            RemoteBuffer responder = RemoteBuffer.decode(connection.privateData());
            List<DemoResult> results = new DemoInitiator(endpoint, responder, rounds).run();
            DeviceInfo device = verbs.device();
            DemoReport report = new DemoReport(
                    verbs.provider(),
                    verbs.selection(),
                    device.name() + ", " + device.transport() + ", " + device.description(),
                    "processes " + ProcessHandle.current().pid() + " and " + process.pid() + " over "
                            + address.getHostAddress() + ", port " + peer.getPort(),
                    connection.carrier(),
                    connection.transport(),
                    results,
                    "");
            if (report.passed()) {
                connection.disconnect(deadline);
            }
            return report;
        }
    }

    /**
     * In the second process: says {@code port N} when it listens. It ends at once when its standard input ends, so that
     * it cannot outlive the first process.
     */
    private void answer(Deadline deadline) {
        PeerProcess.endWithStandardInput();
        try (Verbs verbs = OpenDevice.best(null, provider.settings());
                Listener listener = verbs.listen(new InetSocketAddress(address, port));
                Endpoint endpoint = new Endpoint(verbs, deadline)) {
            endpoint.postControlReceive();
            PeerProcess.sayPort(listener.localAddress(), out());
            try (ConnectionRequest request = listener.accept(deadline)) {
                byte[] advertisement = endpoint.data().remote().encode();
                var connection = request.accept(
                        endpoint.queuePair(), ConnectionConfig.defaults().withPrivateData(advertisement), deadline);
                endpoint.connected(connection);
                new DemoResponder(endpoint).run();
                connection.awaitDisconnect(deadline);
            }
        }
    }

    /** Adds why the second process failed, unless it is for the same reason. */
    private static RuntimeException explained(VerbsException failure, PeerProcess process) {
        if (!process.exitedIn(Deadline.in(1, TimeUnit.SECONDS))) {
            return failure;
        }
        String fate = process.fate();
        String message = String.valueOf(failure.getMessage());
        return fate.contains(message) ? failure : new CommandFailure(message + "; the second process " + fate, failure);
    }

    private static void requireCleanEnd(PeerProcess process, Deadline deadline) {
        if (!process.exitedIn(deadline)) {
            throw new CommandFailure("the second process did not end before --timeout");
        }
        if (process.exitStatus() != ExitStatus.OK) {
            throw new CommandFailure("the second process " + process.fate());
        }
    }
}
