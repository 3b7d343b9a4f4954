package org.panamaverbs.examples.rpc;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.Events;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.memory.RegisteredBuffer;

/** The server: one thread that accepts, receives and replies, and sleeps when there is nothing to do. */
final class RpcServer {
    private final TwoEnds ends;
    private final EventQueue events;
    private final CompletionQueue queue;
    private final SharedReceiveQueue receives;
    private final RegisteredBuffer calls;
    private final QueuePairConfig config;
    private final MemorySegment reply = MemorySegment.ofArray(new byte[RpcMessage.BYTES]);
    private final WorkCompletions completions = WorkCompletions.ofCapacity(64);

    /** Who called, by the number that a completion has: a reply goes back on the same queue pair. */
    private final Map<Integer, QueuePair> queuePairs = new HashMap<>();

    private final Map<Integer, Connection> connections = new HashMap<>();
    private int most;
    private int gone;
    private long served;

    private RpcServer(
            TwoEnds ends,
            EventQueue events,
            CompletionQueue queue,
            SharedReceiveQueue receives,
            RegisteredBuffer calls,
            QueuePairConfig config) {
        this.ends = ends;
        this.events = events;
        this.queue = queue;
        this.receives = receives;
        this.calls = calls;
        this.config = config;
    }

    static void run(TwoEnds ends, int clients) {
        // One receive for each call that may be under way at once, whoever makes it.
        int slots = clients;
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var calls = domain.allocate((long) slots * RpcMessage.BYTES, LOCAL_WRITE);
                var receives = domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(slots));
                var channel = verbs.completionChannel();
                var queue = verbs.completionQueue(CompletionQueueConfig.of(slots + clients * RpcMessage.REPLIES)
                        .withChannel(channel));
                var events = verbs.eventQueue();
                var listener = verbs.listen(ends.listenAddress())) {
            var config = QueuePairConfig.of(domain, queue).withSrq(receives).withDepth(RpcMessage.REPLIES, 0);
            var server = new RpcServer(ends, events, queue, receives, calls, config);
            for (int slot = 0; slot < slots; slot++) {
                server.postReceive(slot);
            }
            events.add(listener, null);
            events.add(channel, null);
            ends.listening(listener.localAddress());
            try {
                server.serve(clients);
            } finally {
                server.connections.values().forEach(Connection::close);
            }
        }
    }

    private void serve(int clients) {
        Events happened = Events.ofCapacity(64);
        queue.arm(false);
        while (gone < clients) {
            if (ends.deadline().passed()) {
                throw new DeadlineExceededException("server", gone + " of " + clients + " clients have gone in time");
            }
            events.await(happened, ends.deadline());
            for (int i = 0; i < happened.count(); i++) {
                handle(happened.get(i));
            }
        }
        ends.say("server: %,d calls of %,d clients, %,d at once, on one thread", served, gone, most);
    }

    private void handle(Event event) {
        switch (event.type()) {
            case CONNECT_REQUEST -> accept(event.request());
            case ESTABLISHED -> {
                Connection connection = event.connection();
                connections.put(connection.queuePair().number(), connection);
                most = Math.max(most, connections.size());
                events.add(connection, null);
            }
            case DISCONNECTED -> {
                Connection connection = event.connection();
                queuePairs.remove(connection.queuePair().number());
                connections.remove(connection.queuePair().number());
                connection.close();
                gone++;
            }
            case COMPLETION -> {
                // One event for each arming: take everything, arm, and look once more.
                takeAll();
                queue.arm(false);
                takeAll();
            }
            case FAILED -> throw event.failure();
            case ASYNC -> throw new IllegalStateException("server: " + event);
        }
    }

    /** Accepts without waiting, so that a slow client holds up nobody. */
    private void accept(ConnectionRequest request) {
        PendingConnection attempt = request.beginAccept(config, ConnectionConfig.defaults(), Deadline.in(10, SECONDS));
        // Its first call may be here before the event that it is established.
        queuePairs.put(attempt.queuePair().number(), attempt.queuePair());
        events.add(attempt, null);
    }

    private void takeAll() {
        for (int count = queue.poll(completions); count > 0; count = queue.poll(completions)) {
            for (int i = 0; i < count; i++) {
                take(completions.get(i));
            }
        }
    }

    private void take(WorkCompletion completion) {
        if (!completion.ok()) {
            // Whoever hangs up flushes what is left of its queue pair; receives of a shared queue stay in it.
            if (completion.status() != WcStatus.WR_FLUSH_ERROR) {
                ends.say("server: %s", completion);
            }
        } else if (completion.opcode() == WcOpcode.RECV) {
            int slot = (int) completion.wrId();
            long at = (long) slot * RpcMessage.BYTES;
            long argument = RpcMessage.value(calls.segment(), at);
            RpcMessage.put(reply, RpcMessage.number(calls.segment(), at), argument * argument);
            // The receive is back before the client has its reply, and with it leave for another call.
            postReceive(slot);
            QueuePair caller = queuePairs.get(completion.qpNumber());
            if (caller != null) {
                // Inline: the reply is copied, so its 16 bytes are free for the next one at once.
                PostStatus.check(caller.sendInline(slot, reply, 0, RpcMessage.BYTES, SIGNALED));
                served++;
            }
        }
    }

    private void postReceive(int slot) {
        PostStatus.check(receives.recv(slot, calls, (long) slot * RpcMessage.BYTES, RpcMessage.BYTES));
    }
}
