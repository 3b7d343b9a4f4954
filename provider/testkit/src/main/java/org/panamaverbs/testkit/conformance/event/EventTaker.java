package org.panamaverbs.testkit.conformance.event;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.Events;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Poller;

/** An event queue of one side, whose events are taken while both sides are polled. */
final class EventTaker {
    final EventQueue queue;
    private final Resources resources;
    private final Poller poller;
    private final Events events = Events.ofCapacity(4);
    private final Deque<Seen> waiting = new ArrayDeque<>();

    EventTaker(Endpoint side, Resources resources, Poller poller) {
        this.resources = resources;
        this.poller = poller;
        queue = resources.add(queueOf(side.verbs()));
    }

    /** Returns an event queue of {@code verbs}; skips the test if the provider has none. */
    static EventQueue queueOf(Verbs verbs) {
        try {
            return verbs.eventQueue();
        } catch (UnsupportedOperationException e) {
            return Assumptions.abort(e.getMessage());
        }
    }

    /** A copy of an event; {@code subject} is what its type has. */
    record Seen(Event.Type type, Object source, @Nullable Object attachment, Object subject) {
        static Seen of(Event event) {
            Object subject = switch (event.type()) {
                case CONNECT_REQUEST -> event.request();
                case ESTABLISHED, DISCONNECTED -> event.connection();
                case FAILED -> event.failure();
                case COMPLETION -> event.completionQueue();
                case ASYNC -> event.asyncEvent();
            };
            return new Seen(event.type(), event.source(), event.attachment(), subject);
        }
    }

    /** Returns the next event, which must be of {@code type}; what it brings is closed with the test. */
    Seen next(Event.Type type) {
        poller.await("the event " + type, () -> !isEmpty());
        Seen seen = waiting.remove();
        if (seen.type() != type) {
            throw new AssertionError("not " + type + " but " + seen);
        }
        return seen;
    }

    /** Returns the next request. */
    ConnectionRequest request() {
        return (ConnectionRequest) next(Event.Type.CONNECT_REQUEST).subject();
    }

    /** Returns the connection that is established next. */
    Connection established() {
        return (Connection) next(Event.Type.ESTABLISHED).subject();
    }

    /** Returns the failure that comes next. */
    RuntimeException failure() {
        return (RuntimeException) next(Event.Type.FAILED).subject();
    }

    /** Takes what is there, and tells whether there is nothing. */
    boolean isEmpty() {
        take(queue.poll(events));
        return waiting.isEmpty();
    }

    /** Waits for an event, without a poll of anything else; returns how many came. */
    int await(Deadline deadline) {
        return take(queue.await(events, deadline));
    }

    private int take(int count) {
        for (int i = 0; i < count; i++) {
            Seen seen = Seen.of(events.get(i));
            if (seen.type() == Event.Type.CONNECT_REQUEST || seen.type() == Event.Type.ESTABLISHED) {
                resources.add((AutoCloseable) seen.subject());
            }
            waiting.add(seen);
        }
        return count;
    }
}
