package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Function;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.faults.StackEnd;

/**
 * Calls whose stack ends in them, at each depth: no lock stays locked, other connections of the same contexts go on,
 * and everything can be closed. A program, since what stays locked would keep JUnit's JVM for ever.
 */
final class StackEnds {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int ROUNDS = Integer.getInteger("faults.rounds", 1);

    private final Peer client;
    private final Peer server;
    private final Listener listener;
    private final CompletionQueue besideQueue;
    private final Connection beside;

    /** Prints a line for each call: its name, how often it was tried, how often the stack ended. */
    public static void main(String[] args) throws Exception {
        for (Call call : Call.values()) {
            StackEnds ends = new StackEnds();
            ends.othersGoOn(call);
            ends.close();
        }
    }

    /** What is called. */
    @SuppressWarnings("ImmutableEnumChecker") // of functions that hold nothing
    enum Call {
        SEND(peer -> () -> peer.queuePair().send(1, peer.buffer, 0, 100, SIGNALED)),
        WRITE(peer -> () -> peer.queuePair().write(2, peer.buffer, 0, 50_000, peer.buffer.remote(), 0, SIGNALED)),
        RECV(peer -> () -> peer.queuePair().recv(3, peer.buffer, 0, 100)),
        POLL(peer -> {
            WorkCompletions completions = WorkCompletions.ofCapacity(8);
            return () -> {
                peer.queuePair().send(1, peer.buffer, 0, 100, SIGNALED);
                peer.queue.poll(completions);
            };
        }),
        REGISTER(peer -> () -> peer.domain.allocate(4096, Access.LOCAL_WRITE).close()),
        COMPLETION_QUEUE(peer ->
                () -> peer.verbs.completionQueue(CompletionQueueConfig.of(16)).close()),
        QUEUE_PAIR(peer -> () -> peer.domain.queuePair(peer.config()).close());

        private final Function<Peer, Runnable> made;

        Call(Function<Peer, Runnable> made) {
            this.made = made;
        }
    }

    private StackEnds() throws Exception {
        client = new Peer("progress=background");
        server = new Peer("progress=background");
        listener = server.verbs.listen(ANY_PORT);
        Peer.connect(
                client,
                client.config(),
                server,
                server.config(),
                listener,
                ConnectionConfig.defaults(),
                queuePair -> {});
        besideQueue = client.verbs.completionQueue(16);
        Background<Connection> accepted = Background.start(
                () -> listener.accept(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon()));
        beside = client.verbs.connect(
                listener.localAddress(),
                QueuePairConfig.of(client.domain, besideQueue),
                ConnectionConfig.defaults(),
                Peer.soon());
        server.closeFirst(accepted.get());
    }

    private void othersGoOn(Call call) throws Exception {
        Runnable run = call.made.apply(client);
        run.run();
        int tried = 0;
        int overflows = 0;
        for (int round = 0; round < ROUNDS; round++) {
            StackEnd.Outcome outcome = StackEnd.each(run);
            tried += outcome.tried();
            overflows += outcome.overflows();
        }
        System.out.println(call + " " + tried + " " + overflows);

        WorkCompletions one = WorkCompletions.ofCapacity(1);
        beside.queuePair().write(1, client.buffer, 0, 100, server.buffer.remote(), 0, SIGNALED);
        besideQueue.poll(one, Peer.soon());
        assertThat(one.get(0).ok()).isTrue();
    }

    private void close() {
        listener.close();
        beside.close();
        besideQueue.close();
        client.close();
        server.close();
    }
}
