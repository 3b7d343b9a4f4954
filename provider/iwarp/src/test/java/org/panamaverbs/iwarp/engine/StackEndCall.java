package org.panamaverbs.iwarp.engine;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.api.SendFlag.SOLICITED;
import static org.panamaverbs.iwarp.engine.StackEnds.MANY;
import static org.panamaverbs.iwarp.engine.StackEnds.OCTETS;
import static org.panamaverbs.iwarp.engine.StackEnds.RECEIVE;

import java.util.function.Function;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

/** A call whose stack ends in it, at each depth, on what {@link StackEnds} has made. */
// Of functions that hold nothing; what became of a post is seen by what comes of it.
@SuppressWarnings({"ImmutableEnumChecker", "CheckReturnValue"})
enum StackEndCall {
    SEND(ends -> () -> {
        long id = ends.sends.next();
        ends.sends.answered(id, ends.queuePair().send(id, ends.client.buffer, 0, OCTETS, SIGNALED | SOLICITED));
    }),
    WRITE(ends -> () -> {
        long id = ends.sends.next();
        RemoteBuffer remote = ends.server.buffer.remote();
        ends.sends.answered(id, ends.queuePair().write(id, ends.client.buffer, 0, 50_000, remote, 0, SIGNALED));
    }),
    READ(ends -> () -> {
        long id = ends.sends.next();
        RemoteBuffer remote = ends.server.buffer.remote();
        ends.sends.answered(id, ends.queuePair().read(id, ends.client.buffer, 0, OCTETS, remote, 0, SIGNALED));
    }),
    INLINE(ends -> () -> {
        long id = ends.sends.next();
        ends.sends.answered(id, ends.queuePair().sendInline(id, ends.client.buffer.segment(), 0, 64, SIGNALED));
    }),
    ATOMIC(ends -> () -> {
        long id = ends.sends.next();
        RemoteBuffer remote = ends.server.buffer.remote();
        ends.sends.answered(id, ends.queuePair().fetchAdd(id, ends.client.buffer, 0, remote, 64, 1, SIGNALED));
    }),
    BIND(ends -> () -> {
        long id = ends.sends.next();
        ends.sends.answered(
                id,
                ends.queuePair().bind(id, ends.window, ends.client.buffer, 0, OCTETS, SIGNALED, Access.REMOTE_READ));
        id = ends.sends.next();
        ends.sends.answered(id, ends.queuePair().localInvalidate(id, ends.window.stag(), SIGNALED));
    }),
    BATCH(ends -> () -> {
        Batch batch = ends.queuePair().batch();
        long first = ends.sends.next();
        long second = ends.sends.next();
        int firstStatus = PostStatus.INVALID;
        int secondStatus = PostStatus.INVALID;
        try {
            firstStatus = batch.send(first, ends.client.buffer, 0, OCTETS, SIGNALED);
            secondStatus = batch.write(second, ends.client.buffer, 0, OCTETS, ends.server.buffer.remote(), 0, SIGNALED);
        } finally {
            batch.submitAll();
            ends.sends.answered(first, firstStatus);
            ends.sends.answered(second, secondStatus);
        }
    }),
    RECV(ends -> () -> ends.queuePair().recv(-ends.receives.next(), ends.client.buffer, 0, OCTETS)),
    SHARED_RECV(ends -> () -> ends.shared.recv(RECEIVE, ends.client.buffer, 0, OCTETS)),
    RECV_LIST(ends -> () -> ends.queuePair().recv(ends.list)),
    SHARED_RECV_LIST(ends -> () -> ends.shared.recv(ends.list)),
    POLL(ends -> () -> {
        ends.send(ends.queuePair());
        ends.polled = ends.client.queue.poll(ends.own);
    }),
    POLL_OF_MANY(ends -> {
        for (int i = 0; i < MANY; i++) {
            ends.many.add(ends.connect());
        }
        return () -> {
            ends.send(ends.many.get(MANY / 2).queuePair());
            ends.polled = ends.client.queue.poll(ends.own);
        };
    }),
    POLL_WAITING(ends -> () -> {
        ends.send(ends.queuePair());
        ends.polled = ends.client.queue.poll(ends.own, Deadline.in(100, MICROSECONDS));
    }),
    AWAIT(ends -> () -> {
        ends.channelQueue.arm(false);
        ends.channel.await(Deadline.in(100, MICROSECONDS));
    }),
    ASYNC_EVENT(ends -> () -> ends.client.verbs.asyncEvent(Deadline.in(100, MICROSECONDS))),
    REGISTER(ends -> () -> ends.client.domain.allocate(4096, Access.LOCAL_WRITE).close()),
    COMPLETION_QUEUE(ends -> () ->
            ends.client.verbs.completionQueue(CompletionQueueConfig.of(16)).close()),
    QUEUE_PAIR(ends -> () -> ends.client.domain.queuePair(ends.client.config()).close()),
    CONNECT(ends -> () -> {
        Connection connected = ends.connectOnce();
        ends.made.add(connected);
    }),
    DISCONNECT(ends -> () -> ends.connection.disconnect(Peer.soon())),
    CLOSE(ends -> () -> ends.connection.close()),
    ACCEPT(ends -> {
        ends.startAsking();
        return () -> {
            Connection connected = ends.asked().accept(ends.client.config(), ConnectionConfig.defaults(), Peer.soon());
            ends.made.add(connected);
        };
    });

    private final Function<StackEnds, Runnable> making;

    StackEndCall(Function<StackEnds, Runnable> making) {
        this.making = making;
    }

    /** Returns the call, with what it needs made on {@code ends}. */
    Runnable made(StackEnds ends) {
        return making.apply(ends);
    }
}
