package org.panamaverbs.api;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Waits for connection requests, attempts to connect and accept, the ends of connections, completions and asynchronous
 * events, together and from one thread. The objects are of the device that made the queue, and of any other device of
 * provider ibverbs that is open: its event queues wait for all of them.
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
 *             case COMPLETION -> poll(event.completionQueue());
 *             case FAILED -> System.err.println(event.attachment() + ": " + event.failure());
 *             case DISCONNECTED -> event.connection().close();
 *             case ASYNC -> System.err.println(event.asyncEvent());
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p><b>What is handed out is taken.</b> An event is handed out once, to one call. What is not handed out stays: a
 * member that has more than one call can bring is looked at again by the next one, after the others. So the queue is
 * level-triggered towards its members: what was there before a member was added counts as well. Completions are the
 * exception that their channel makes: a queue that raised its event raises the next one when it is armed again. Events
 * that come while nobody waits are handed out by the next call. None is lost when a call ends by its deadline, a wakeup
 * or an interrupt.
 *
 * <p><b>Members.</b> An object is a member of one event queue at a time. Its own waits ({@link Listener#poll},
 * {@link CompletionChannel#await}, {@link Verbs#asyncEvent}, ...) go on to work; whoever comes first takes the event.
 * Closing a member removes it, also while it is waited for, and nothing is told of that; a {@link PendingConnection}
 * leaves when its result was handed out, a {@link Connection} with its {@link Event.Type#DISCONNECTED}, a
 * {@link Listener} that failed with its {@link Event.Type#FAILED}. An event that was handed out before may still name
 * what another thread has closed, or this one for another event of the same call: where a completion ended the use of a
 * queue pair, the connection of an {@link Event.Type#ESTABLISHED} behind it is still the caller's to close. The queue
 * keeps its members and their attachments reachable, and closes none of them.
 *
 * <p><b>Memory.</b> What the queue needs was made when a member was added; events allocate nothing, completions not at
 * all, a request or connection what it is. A peer can make wait only what has its limit elsewhere: requests the backlog
 * of their listener, half-open ones the provider's limit.
 *
 * <p>{@link #poll} and {@link #await} are for one thread at a time: a second one waits for its turn, until its
 * deadline. All other methods may be called by any thread, also meanwhile. A virtual thread waits without its carrier.
 */
public interface EventQueue extends AutoCloseable {
    /**
     * Adds {@code listener}, whose events are {@link Event.Type#CONNECT_REQUEST} and, once, {@link Event.Type#FAILED}
     * if it receives no more requests.
     *
     * @param attachment is handed out with each of its events, as it is
     * @throws IllegalArgumentException if it is not of this queue's device, nor of one that the provider waits for, too
     * @throws IllegalStateException if it is closed or a member already, of this or another queue, or this is closed
     */
    void add(Listener listener, @Nullable Object attachment);

    /**
     * Adds {@code attempt}, whose event is {@link Event.Type#ESTABLISHED} or {@link Event.Type#FAILED}, once; otherwise
     * as for a listener.
     */
    void add(PendingConnection attempt, @Nullable Object attachment);

    /** Adds {@code connection}, whose event is {@link Event.Type#DISCONNECTED}, once; otherwise as for a listener. */
    void add(Connection connection, @Nullable Object attachment);

    /**
     * Adds {@code channel}, whose events are {@link Event.Type#COMPLETION}, one for each queue that was armed and has
     * completions; otherwise as for a listener.
     */
    void add(CompletionChannel channel, @Nullable Object attachment);

    /** Adds the device that made this queue, whose events are {@link Event.Type#ASYNC}; otherwise as for a listener. */
    void addAsyncEvents(@Nullable Object attachment);

    /** Adds another device, {@code device}, whose events are {@link Event.Type#ASYNC}; otherwise as for a listener. */
    void addAsyncEvents(Verbs device, @Nullable Object attachment);

    /**
     * Removes a member; what was not handed out is its own again. For asynchronous events {@code member} is this queue,
     * or the other device.
     *
     * @return false if it was none
     */
    boolean remove(Object member);

    /** Returns how many members there are. */
    int size();

    /**
     * Takes the events that are there, without a wait.
     *
     * @param events is filled with as many as the answer says; the rest of it is empty
     * @return how many events were taken, 0 if there are none
     * @throws IllegalStateException if the queue is closed
     */
    int poll(Events events);

    /**
     * Takes the events that are there; waits until there is one.
     *
     * @param events is filled with as many as the answer says; the rest of it is empty
     * @return how many events were taken, 0 if the deadline passed or {@link #wakeup} was called
     * @throws IllegalStateException if the queue is closed, also while waiting
     * @throws WaitInterruptedException if the thread is interrupted, before or while it waits; the interrupt flag stays
     *     set, and no event is lost
     */
    int await(Events events, Deadline deadline);

    /** Has the wait under way return, or the next one if there is none. Several of them before that count as one. */
    void wakeup();

    /**
     * Returns a file descriptor that is readable when {@link #poll} may find something or {@link #wakeup} was called;
     * empty where there is none. It is the queue's, and to be watched by poll(2) or epoll(7), never read. It may be
     * readable in vain.
     */
    OptionalInt fileDescriptor();

    /** Removes all members, and ends the wait under way by an {@link IllegalStateException}. */
    @Override
    void close();
}
