package org.panamaverbs.examples.tutorial;

import static org.panamaverbs.api.SendFlag.*;
import static org.panamaverbs.memory.Access.*;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import org.panamaverbs.api.*;
import org.panamaverbs.api.cm.*;
import org.panamaverbs.memory.*;

public class First {
    static final int BYTES = 4096;

    public static void main(String[] args) {
        Deadline deadline = Deadline.in(Duration.ofMinutes(5)); // every wait ends by then
        if (args.length == 1 && args[0].equals("server")) {
            server(deadline);
        } else if (args.length == 4 && args[0].equals("client")) {
            client(new InetSocketAddress(args[1], Integer.parseInt(args[2])), args[3], deadline);
        } else {
            System.err.println("usage: First server   or   First client HOST PORT MESSAGE");
        }
    }

    static void server(Deadline deadline) {
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var mailbox = domain.allocate(BYTES, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ);
                var bell = domain.allocate(64, LOCAL_WRITE);
                var queue = verbs.completionQueue(16);
                var queuePair =
                        domain.queuePair(QueuePairConfig.of(domain, queue).withAccess(REMOTE_WRITE, REMOTE_READ));
                var listener = verbs.listen(new InetSocketAddress("0.0.0.0", 0))) {
            var completions = WorkCompletions.ofCapacity(1);
            PostStatus.check(queuePair.recv(1, bell)); // before the peer can send
            var offer =
                    ConnectionConfig.defaults().withPrivateData(mailbox.remote().encode());
            System.out.println("port " + listener.localAddress().getPort());
            try (var request = listener.accept(deadline);
                    var connection = request.accept(queuePair, offer, deadline)) {
                await(queue, completions, deadline); // the bell: the Write before it is in the mailbox
                System.out.println("the mailbox says: " + mailbox.segment().getString(0));
                connection.awaitDisconnect(deadline);
            }
        }
    }

    static void client(InetSocketAddress server, String message, Deadline deadline) {
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var mine = domain.allocate(BYTES, LOCAL_WRITE);
                var queue = verbs.completionQueue(16);
                var connection = verbs.connect(server, QueuePairConfig.of(domain, queue), deadline)) {
            System.out.println("connected by " + connection.transport());
            var mailbox = RemoteBuffer.decode(connection.privateData());
            var queuePair = connection.queuePair();
            var completions = WorkCompletions.ofCapacity(1);

            mine.segment().setString(0, message);
            PostStatus.check(queuePair.write(1, mine, 0, BYTES, mailbox, 0, NONE)); // into the server's memory
            PostStatus.check(queuePair.send(2, mine, 0, 0, SIGNALED)); // the bell: a message of no bytes
            await(queue, completions, deadline);

            measure(queuePair, mine, mailbox, queue, deadline);
            connection.disconnect(deadline); // orderly; close alone aborts
        }
    }

    static void measure(
            QueuePair queuePair,
            RegisteredBuffer mine,
            RemoteBuffer mailbox,
            CompletionQueue queue,
            Deadline deadline) {
        var completions = WorkCompletions.ofCapacity(1); // reused
        long[] nanos = new long[2_000];
        for (int i = 0; i < nanos.length; i++) {
            long begin = System.nanoTime();
            PostStatus.check(queuePair.read(i, mine, 0, 64, mailbox, 0, SIGNALED));
            await(queue, completions, deadline);
            nanos[i] = System.nanoTime() - begin;
        }
        Arrays.sort(nanos, 1_000, 2_000); // the first half is warm-up
        System.out.printf("an RDMA Read of 64 bytes takes %.1f us (median)%n", nanos[1_500] / 1e3);
    }

    static void await(CompletionQueue queue, WorkCompletions completions, Deadline deadline) {
        queue.poll(completions, deadline);
        if (!completions.get(0).ok()) {
            throw new IllegalStateException(completions.get(0).toString());
        }
    }
}
