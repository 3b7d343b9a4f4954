package org.panamaverbs.cli.demo;

import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionRequest;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.cli.command.BuildVersion;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.OpenDevice;
import org.panamaverbs.cli.command.PeerProcess;
import org.panamaverbs.cli.command.ProviderFlags;
import org.panamaverbs.cli.demo.exercise.Endpoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The second process of {@code verbs demo}. Prints {@code port N} when it listens; its exit status is its verdict. Ends
 * at once when its standard input ends, so that it cannot outlive the first process.
 */
@Command(
        name = "demo-peer",
        hidden = true,
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        description = "The second process of `verbs demo`, which starts it.")
public final class DemoPeerCommand implements Callable<Integer> {
    @Option(names = "--address", required = true, description = "Local address to listen at.")
    private InetAddress address = InetAddress.getLoopbackAddress();

    @Option(names = "--port", required = true, description = "Port to listen at, 0 for any.")
    private int port;

    @Option(names = "--timeout", required = true, description = "Limit of the whole run in seconds.")
    private int timeoutSeconds;

    @Mixin
    private final ProviderFlags provider = new ProviderFlags();

    @SuppressWarnings("NullAway.Init") // picocli injects it
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PeerProcess.endWithStandardInput();
        Deadline deadline = Deadline.in(timeoutSeconds, TimeUnit.SECONDS);
        PrintWriter out = spec.commandLine().getOut();
        try (Verbs verbs = OpenDevice.best(null, provider.settings());
                Listener listener = verbs.listen(new InetSocketAddress(address, port));
                Endpoint endpoint = new Endpoint(verbs, deadline)) {
            endpoint.postControlReceive();
            out.println(PeerProcess.PORT_PREFIX + listener.localAddress().getPort());
            out.flush();
            try (ConnectionRequest request = listener.accept(deadline)) {
                byte[] advertisement = endpoint.data().remote().encode();
                var connection = request.accept(
                        endpoint.queuePair(), ConnectionConfig.defaults().withPrivateData(advertisement), deadline);
                endpoint.connected(connection);
                new DemoResponder(endpoint).run();
                connection.awaitDisconnect(deadline);
            }
        }
        return ExitStatus.OK;
    }
}
