package org.panamaverbs.cli.example;

import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.panamaverbs.api.SendFlag.*;
import static org.panamaverbs.memory.Access.*;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.panamaverbs.api.*;
import org.panamaverbs.memory.RemoteBuffer;

public class HelloVerbs {
    public static void main(String[] args) {
        Deadline deadline = Deadline.in(Duration.ofMinutes(1));
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var mine = domain.allocate(4096, LOCAL_WRITE);
                var theirs = domain.allocate(4096, LOCAL_WRITE, REMOTE_WRITE, REMOTE_ATOMIC);
                var queue = verbs.completionQueue(16);
                var listener = verbs.listen(new InetSocketAddress("localhost", 0))) {
            var config = QueuePairConfig.of(domain, queue);
            var offer =
                    ConnectionConfig.defaults().withPrivateData(theirs.remote().encode());
            var peer = supplyAsync(() -> listener.accept(deadline).accept(config, offer, deadline));
            try (var connection = verbs.connect(listener.localAddress(), config, deadline);
                    var accepted = peer.join()) {
                var remote = RemoteBuffer.decode(connection.privateData());
                mine.segment().setString(0, "Hello over " + accepted.transport());
                var qp = connection.queuePair();
                PostStatus.check(qp.write(1, mine, 0, 512, remote, 0, NONE)); // zero copy, one-sided
                PostStatus.check(qp.fetchAdd(2, mine, 512, remote, 512, 42, SIGNALED));
                var completions = WorkCompletions.ofCapacity(16);
                queue.poll(completions, deadline); // the FetchAdd is done, so the Write is placed
                System.out.println(completions.get(0)); // its status, or ok()
                System.out.println(theirs.segment().getString(0));
                System.out.println("The counter is " + theirs.atomicTarget(512).getVolatile());
                var ended = accepted.beginDisconnect(deadline); // an orderly end; close alone would abort
                connection.disconnect(deadline);
                ended.join();
            }
        }
    }
}
