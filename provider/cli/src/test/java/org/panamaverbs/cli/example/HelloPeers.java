package org.panamaverbs.cli.example;

import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;
import static org.panamaverbs.memory.Access.REMOTE_ATOMIC;
import static org.panamaverbs.memory.Access.REMOTE_WRITE;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** {@link HelloVerbs} in two processes: without an argument it listens and prints its port, with a port it connects. */
public final class HelloPeers {
    private HelloPeers() {}

    public static void main(String[] arguments) {
        Deadline deadline = Deadline.in(Duration.ofSeconds(60));
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var buffer = domain.allocate(4096, LOCAL_WRITE, REMOTE_WRITE, REMOTE_ATOMIC);
                var queue = verbs.completionQueue(16)) {
            var config = QueuePairConfig.of(domain, queue).withAccess(REMOTE_WRITE, REMOTE_ATOMIC);
            if (arguments.length == 0) {
                listen(verbs, config, buffer, deadline);
                return;
            }
            var address = new InetSocketAddress("localhost", Integer.parseInt(arguments[0]));
            try (var connection = verbs.connect(address, config, deadline)) {
                System.out.println("connected by " + connection.transport());
                var remote = RemoteBuffer.decode(connection.privateData());
                long pid = ProcessHandle.current().pid();
                buffer.segment().setString(0, "Hello from process " + pid);
                var qp = connection.queuePair();
                PostStatus.check(qp.write(1, buffer, 0, 512, remote, 0, NONE));
                PostStatus.check(qp.fetchAdd(2, buffer, 512, remote, 512, 42, SIGNALED));
                var completions = WorkCompletions.ofCapacity(16);
                queue.poll(completions, deadline);
                System.out.println(completions.get(0));
                connection.disconnect(deadline);
            }
        }
    }

    private static void listen(Verbs verbs, QueuePairConfig config, RegisteredBuffer buffer, Deadline deadline) {
        var offer = ConnectionConfig.defaults().withPrivateData(buffer.remote().encode());
        try (var listener = verbs.listen(new InetSocketAddress("localhost", 0))) {
            System.out.println("port " + listener.localAddress().getPort());
            try (var connection = listener.accept(deadline).accept(config, offer, deadline)) {
                System.out.println("accepted by " + connection.transport());
                connection.awaitDisconnect(deadline); // the peer has the answer to its FetchAdd
                System.out.println(buffer.segment().getString(0));
                System.out.println("The counter is " + buffer.atomicTarget(512).getVolatile());
            }
        }
    }
}
