package org.panamaverbs.iwarp.engine;

import static java.util.concurrent.CompletableFuture.supplyAsync;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.testkit.Waits;

/** Prints what a context and a connection of a fresh JVM say of their sockets, as lines of key and value, and waits. */
final class SocketsProbe {
    private SocketsProbe() {}

    public static void main(String[] arguments) {
        OpenConfig config = OpenConfig.provider("iwarp");
        Verbs.open(config).close(); // what is logged, is logged once
        Deadline deadline = Waits.deadline();
        try (var verbs = Verbs.open(config);
                var domain = verbs.protectionDomain();
                var channel = verbs.completionChannel();
                var queue = verbs.completionQueue(CompletionQueueConfig.of(16).withChannel(channel));
                var listener = verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            QueuePairConfig pair = QueuePairConfig.of(domain, queue);
            CompletableFuture<Connection> accepted =
                    supplyAsync(() -> listener.accept(deadline).accept(pair, ConnectionConfig.defaults(), deadline));
            try (Connection ours = verbs.connect(listener.localAddress(), pair, deadline);
                    Connection theirs = accepted.join()) {
                System.out.println("selection=" + verbs.selection());
                System.out.println("transport=" + ours.transport());
                System.out.println("accepted=" + theirs.transport());
                verbs.attributes()
                        .device()
                        .forEach(entry -> System.out.println("attribute." + entry.name() + "=" + entry.value()));
                queue.arm(false);
                System.out.println("event="
                        + channel.await(Deadline.in(50, TimeUnit.MILLISECONDS)).isPresent());
                // Else the end that is closed second fails in between, now and then, and says so.
                ours.disconnect(deadline);
            }
        }
    }
}
