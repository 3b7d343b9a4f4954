package org.panamaverbs.examples.rpc;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.memory.RegisteredBuffer;

/** All clients, in one thread: each has a connection of its own, and one call under way. */
final class RpcClients {
    /** A receive says by its id whose it is; the calls' ids say nothing. */
    private static final long CALL = -1;

    private final RegisteredBuffer replies;
    private final List<Connection> connections = new ArrayList<>();
    private final long[] made;
    private final MemorySegment call = MemorySegment.ofArray(new byte[RpcMessage.BYTES]);

    private RpcClients(RegisteredBuffer replies, int clients) {
        this.replies = replies;
        made = new long[clients];
    }

    static void run(TwoEnds ends, int clients, int calls) throws Exception {
        var server = ends.server();
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var replies = domain.allocate((long) clients * RpcMessage.BYTES, LOCAL_WRITE);
                var queue = verbs.completionQueue(clients * 2 * RpcMessage.REPLIES)) {
            var all = new RpcClients(replies, clients);
            var config = QueuePairConfig.of(domain, queue).withDepth(RpcMessage.REPLIES, 1);
            try {
                long begin = System.nanoTime();
                for (int client = 0; client < clients; client++) {
                    all.connections.add(verbs.connect(server, config, ends.deadline()));
                }
                double connecting = (System.nanoTime() - begin) / 1e9;
                ends.say("clients: %,d connected in %.3f s, by %s", clients, connecting, all.transport());

                begin = System.nanoTime();
                all.makeCalls(queue, calls, ends);
                double seconds = (System.nanoTime() - begin) / 1e9;
                long sum = (long) clients * calls;
                ends.say("clients: %,d calls in %.3f s, %,.0f a second", sum, seconds, sum / seconds);
                // To close without this would be an abort, which the server would take for a failure.
                all.connections.forEach(connection -> connection.disconnect(ends.deadline()));
            } finally {
                all.connections.forEach(Connection::close);
            }
        }
    }

    private String transport() {
        return connections.getFirst().transport();
    }

    private void makeCalls(CompletionQueue queue, long calls, TwoEnds ends) {
        for (int client = 0; client < made.length; client++) {
            makeCall(client);
        }
        WorkCompletions completions = WorkCompletions.ofCapacity(64);
        for (long done = 0; done < calls * made.length; ) {
            int count = queue.poll(completions, ends.deadline());
            for (int i = 0; i < count; i++) {
                WorkCompletion completion = completions.get(i);
                if (!completion.ok()) {
                    throw new IllegalStateException("clients: " + completion);
                }
                if (completion.opcode() == WcOpcode.RECV) {
                    int client = (int) completion.wrId();
                    check(client);
                    done++;
                    if (++made[client] < calls) {
                        makeCall(client);
                    }
                }
            }
        }
    }

    private void makeCall(int client) {
        QueuePair queuePair = connections.get(client).queuePair();
        // The receive for the reply is posted before the call.
        PostStatus.check(queuePair.recv(client, replies, (long) client * RpcMessage.BYTES, RpcMessage.BYTES));
        RpcMessage.put(call, made[client], client + made[client]);
        PostStatus.check(queuePair.sendInline(CALL, call, 0, RpcMessage.BYTES, SIGNALED));
    }

    private void check(int client) {
        long at = (long) client * RpcMessage.BYTES;
        long number = RpcMessage.number(replies.segment(), at);
        long square = RpcMessage.value(replies.segment(), at);
        long argument = client + made[client];
        if (number != made[client] || square != argument * argument) {
            throw new IllegalStateException("client " + client + ": the reply to call " + made[client] + " of "
                    + argument + " says " + square + " to call " + number);
        }
    }
}
