package org.panamaverbs.cli.example;

import static java.util.concurrent.CompletableFuture.runAsync;
import static org.panamaverbs.api.SendFlag.*;
import static org.panamaverbs.memory.Access.*;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.panamaverbs.api.*;
import org.panamaverbs.api.cm.*;
import org.panamaverbs.memory.RemoteBuffer;

public class HelloVerbs {
    public static void main(String[] args) {
        var deadline = Deadline.in(Duration.ofMinutes(1)); // every wait has one
        try (var verbs = Verbs.open(); // the best provider and device of this machine
                var domain = verbs.protectionDomain();
                var mine = domain.allocate(1024, LOCAL_WRITE);
                var theirs = domain.allocate(1024, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE);
                var queue = verbs.completionQueue(16);
                var listener = verbs.listen(new InetSocketAddress("localhost", 0))) {
            var config = QueuePairConfig.of(domain, queue).withAccess(REMOTE_READ, REMOTE_WRITE); // by the peer
            var offer =
                    ConnectionConfig.defaults().withPrivateData(theirs.remote().encode());
            var server = runAsync(() -> {
                try (var peer = listener.accept(deadline).accept(config, offer, deadline)) {
                    peer.awaitDisconnect(deadline); // the server's program does nothing else
                }
            });
            try (var connection = verbs.connect(listener.localAddress(), config, deadline)) {
                var remote = RemoteBuffer.decode(connection.privateData()); // address, length, key, rights
                var queuePair = connection.queuePair();
                mine.segment().setString(0, "Hello over " + connection.transport());
                PostStatus.check(queuePair.write(1, mine, 0, 512, remote, 0, NONE)); // into the server's memory
                PostStatus.check(queuePair.read(2, mine, 512, 512, remote, 0, SIGNALED)); // and back
                var completions = WorkCompletions.ofCapacity(1);
                queue.poll(completions, deadline);
                System.out.println(completions.get(0)); // check ok() in a real program
                System.out.println(mine.segment().getString(512));
                connection.disconnect(deadline); // orderly; close alone aborts
            }
            server.join();
        }
    }
}
