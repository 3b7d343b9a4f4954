package org.panamaverbs.api;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that an {@link EventQueue} waited for: a reusable holder inside {@link Events}. Its values are valid until
 * the next call with the same holder; the objects that it names are the application's from then on. Not thread-safe.
 */
public final class Event {
    /** What can happen. */
    public enum Type {
        /** A peer asks a listener to connect: {@link Event#request()} is to be answered or closed. */
        CONNECT_REQUEST,
        /**
         * An attempt to connect or accept has succeeded: {@link Event#connection()} is the application's to close. A
         * peer may send at once, so that a {@link #COMPLETION} of its first message can come before:
         * {@link PendingConnection#queuePair()} says beforehand whose it is.
         */
        ESTABLISHED,
        /**
         * An attempt has failed and was undone, or a listener hears nobody any more: {@link Event#failure()} says why.
         */
        FAILED,
        /** A connection is down, by either side. */
        DISCONNECTED,
        /** An armed completion queue has completions: {@link Event#completionQueue()}. */
        COMPLETION,
        /** {@link Event#asyncEvent()} happened on the device. */
        ASYNC
    }

    private Type type = Type.COMPLETION;
    private @Nullable Object source;
    private @Nullable Object attachment;
    private @Nullable Object subject;

    Event() {}

    /** Returns what happened. */
    public Type type() {
        return type;
    }

    /**
     * Returns the member of the event queue that it happened to: the {@link Listener}, {@link PendingConnection},
     * {@link Connection} or {@link CompletionChannel}; for {@link Type#ASYNC} the source of the asynchronous event.
     */
    public Object source() {
        return Objects.requireNonNull(source, "no event");
    }

    /** Returns what was given when the member was added, null if that was null. */
    public @Nullable Object attachment() {
        return attachment;
    }

    /**
     * Returns the request of a {@link Type#CONNECT_REQUEST}.
     *
     * @throws IllegalStateException if the event is of another type
     */
    public ConnectionRequest request() {
        return subject(Type.CONNECT_REQUEST, ConnectionRequest.class);
    }

    /**
     * Returns the connection that is {@link Type#ESTABLISHED} or {@link Type#DISCONNECTED}.
     *
     * @throws IllegalStateException if the event is of another type
     */
    public Connection connection() {
        return subject(type == Type.DISCONNECTED ? type : Type.ESTABLISHED, Connection.class);
    }

    /**
     * Returns why the attempt or the listener {@link Type#FAILED}: {@link ConnectionException},
     * {@link DeadlineExceededException}, or what else went wrong.
     *
     * @throws IllegalStateException if the event is of another type
     */
    public RuntimeException failure() {
        return subject(Type.FAILED, RuntimeException.class);
    }

    /**
     * Returns the queue of a {@link Type#COMPLETION}. Poll it until it is empty, arm it, and poll once more: a
     * completion that came before it was armed raises no event.
     *
     * @throws IllegalStateException if the event is of another type
     */
    public CompletionQueue completionQueue() {
        return subject(Type.COMPLETION, CompletionQueue.class);
    }

    /**
     * Returns the event of type {@link Type#ASYNC}.
     *
     * @throws IllegalStateException if the event is of another type
     */
    public AsyncEvent asyncEvent() {
        return subject(Type.ASYNC, AsyncEvent.class);
    }

    private <T> T subject(Type wanted, Class<T> kind) {
        if (type != wanted || subject == null) {
            throw new IllegalStateException("the event is " + (subject == null ? "none" : type) + ", not " + wanted);
        }
        return kind.cast(subject);
    }

    /** For event queues: says whose event the next one is. */
    public void of(Object member, @Nullable Object itsAttachment) {
        source = member;
        attachment = itsAttachment;
        subject = null;
    }

    /** For providers: the member, a listener, has {@code request}. */
    public void request(ConnectionRequest request) {
        type = Type.CONNECT_REQUEST;
        subject = request;
    }

    /** For providers: the member, an attempt, has led to {@code connection}. */
    public void established(Connection connection) {
        type = Type.ESTABLISHED;
        subject = connection;
    }

    /** For providers: the member has failed. */
    public void failed(RuntimeException failure) {
        type = Type.FAILED;
        subject = failure;
    }

    /** For providers: the member, {@code connection}, is down. */
    public void disconnected(Connection connection) {
        type = Type.DISCONNECTED;
        subject = connection;
    }

    /** For providers: {@code queue} has raised an event at the member, a channel. */
    public void completion(CompletionQueue queue) {
        type = Type.COMPLETION;
        subject = queue;
    }

    /** For providers: {@code event} happened on the device. */
    public void async(AsyncEvent event) {
        type = Type.ASYNC;
        source = event.source();
        subject = event;
    }

    /** For event queues: forgets what it held. */
    public void clear() {
        source = null;
        attachment = null;
        subject = null;
    }

    @Override
    public String toString() {
        return subject == null ? "no event" : type + " of " + source;
    }
}
