package org.panamaverbs.api;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.PendingConnection;

/**
 * Waits for several sources from one thread: connection requests, pending connections, disconnects, completions and
 * asynchronous events. The sources are objects of the device that created the queue, and with provider ibverbs of any
 * other open device.
 *
 * <pre>{@code
 * var queue = verbs.eventQueue();
 * var events = Events.ofCapacity(16);
 * queue.add(listener, "door");
 * queue.add(channel, "work");
 * while (queue.await(events, deadline) > 0) {
 *     for (int i = 0; i < events.count(); i++) {
 *         Event event = events.get(i);
 *         switch (event.type()) {
 *             case CONNECT_REQUEST -> {
 *                 var attempt = event.request().beginAccept(config, ConnectionConfig.defaults(), deadline);
 *                 queue.add(attempt, "client");
 *             }
 *             case ESTABLISHED -> queue.add(event.connection(), event.attachment());
 *             case COMPLETION -> poll(event.completionQueue()); // until empty, arm, poll once more
 *             case FAILED -> System.err.println(event.attachment() + ": " + event.failure());
 *             case DISCONNECTED -> event.connection().close();
 *             case ASYNC -> System.err.println(event.asyncEvent());
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p><b>Delivery.</b> Each event is delivered once, to one call. Events that do not fit into a call, or that come while
 * no thread waits, are delivered by the next call; members with many events take turns. The queue is level-triggered:
 * events from before a member was added count as well. Completions are the exception: a completion queue raises its
 * next event after it is armed again. No event is lost when a call ends by its deadline, a wakeup or an interrupt.
 *
 * <p><b>Members.</b> An object is a member of one event queue at a time. Its own waits ({@link Listener#poll},
 * {@link CompletionChannel#await}, {@link Verbs#asyncEvent}, ...) still work; the first caller takes the event. The
 * queue keeps members and attachments reachable, and closes none of them.
 *
 * <p>Closing a member removes it, also during a wait, without an event. A {@link PendingConnection} leaves once its
 * result is delivered, a {@link Connection} with its {@link Event.Type#DISCONNECTED}, a {@link Listener} that failed
 * with its {@link Event.Type#FAILED}. A delivered event may name an object that another thread has closed, or this
 * thread for an earlier event of the same call: a connection of {@link Event.Type#ESTABLISHED} is still the caller's to
 * close if a completion before it ended the use of its queue pair.
 *
 * <p><b>Memory.</b> Adding a member allocates what its events need; completions allocate nothing, requests and
 * connections only themselves. What peers can queue is bounded by the listener's backlog and the provider's limit of
 * half-open connections.
 *
 * <p><b>Threads.</b> One thread at a time calls {@link #poll} and {@link #await}; a second one waits for its turn until
 * its deadline. Any thread may call the other methods meanwhile. A waiting virtual thread leaves its carrier.
 */
public interface EventQueue extends AutoCloseable {
    /**
     * Adds {@code listener}. Its events are {@link Event.Type#CONNECT_REQUEST} and, once, {@link Event.Type#FAILED} if
     * it can receive no more requests.
     *
     * @param listener the new member
     * @param attachment delivered with each of its events, may be null
     * @throws IllegalArgumentException if it is of a device that this queue does not serve
     * @throws IllegalStateException if it is closed, already a member of this or another queue, or this queue is closed
     */
    void add(Listener listener, @Nullable Object attachment);

    /**
     * Adds {@code attempt}. Its event is {@link Event.Type#ESTABLISHED} or {@link Event.Type#FAILED}, once; otherwise
     * as for a listener.
     */
    void add(PendingConnection attempt, @Nullable Object attachment);

    /** Adds {@code connection}. Its event is {@link Event.Type#DISCONNECTED}, once; otherwise as for a listener. */
    void add(Connection connection, @Nullable Object attachment);

    /**
     * Adds {@code channel}. Its events are {@link Event.Type#COMPLETION}, one for each armed queue with completions;
     * otherwise as for a listener.
     */
    void add(CompletionChannel channel, @Nullable Object attachment);

    /**
     * Adds the device that created this queue. Its events are {@link Event.Type#ASYNC}; otherwise as for a listener.
     */
    void addAsyncEvents(@Nullable Object attachment);

    /** Adds another device. Its events are {@link Event.Type#ASYNC}; otherwise as for a listener. */
    void addAsyncEvents(Verbs device, @Nullable Object attachment);

    /**
     * Removes a member; its undelivered events are again available to its own waits.
     *
     * @param member the member; for asynchronous events this queue, or the other device
     * @return false if it is no member
     */
    boolean remove(Object member);

    /** Returns the number of members. */
    int size();

    /**
     * Takes the available events without waiting.
     *
     * @param events receives the events; entries beyond the result are empty
     * @return the number of events taken, 0 if there are none
     * @throws IllegalStateException if the queue is closed
     */
    int poll(Events events);

    /**
     * Waits until there is an event, and takes those that are available.
     *
     * @param events receives the events; entries beyond the result are empty
     * @param deadline until when to wait
     * @return the number of events taken, 0 if the deadline passed or {@link #wakeup} was called
     * @throws IllegalStateException if the queue is closed, also during the wait
     * @throws WaitInterruptedException if the thread is interrupted before or during the wait; the interrupt flag stays
     *     set, and no event is lost
     */
    int await(Events events, Deadline deadline);

    /** Ends the current wait, or the next one if no thread waits. Several calls before that count as one. */
    void wakeup();

    /**
     * Returns a file descriptor that is readable if {@link #poll} may find an event or {@link #wakeup} was called;
     * empty if there is none. The queue owns it: watch it with poll(2) or epoll(7), never read it. Spurious readiness
     * is possible.
     */
    OptionalInt fileDescriptor();

    /** Removes all members. A current wait throws {@link IllegalStateException}. */
    @Override
    void close();
}
