package org.panamaverbs.iwarp.engine;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.memory.RemoteBuffer;

/** What a side of a test has carried out itself on the other's memory. */
final class Directly {
    private Directly() {}

    /** Returns how many requests {@code peer} has carried out itself. */
    static long executedInline(Peer peer) {
        return peer.queuePair().statistics().sendsDirect();
    }

    /** Writes 8 bytes to the buffer of {@code server} until that goes directly. */
    static void untilDirect(Peer client, Peer server) {
        untilDirect(client, server, Peer.remote(server));
    }

    /** Writes 8 bytes to {@code remote}, which is of {@code server}, until that goes directly. */
    @SuppressWarnings("CheckReturnValue") // what became of the post is seen by its completion
    static void untilDirect(Peer client, Peer server, RemoteBuffer remote) {
        WorkCompletions none = WorkCompletions.ofCapacity(1);
        long before = executedInline(client);
        Raw.await("direct access", () -> {
            client.queuePair().write(0, client.buffer, 0, 8, remote, 0, SIGNALED);
            client.nextOk();
            // The place where only who polls makes progress.
            server.queue.poll(none);
            return executedInline(client) > before;
        });
    }
}
