package org.panamaverbs.api;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.PendingConnection;

/**
 * An event of an {@link EventQueue}: a reusable holder inside {@link Events}. Its values are valid until the next call
 * with the same holder; the objects that it names belong to the application from then on. Not thread-safe.
 */
public final class Event {
    /** The kind of an event. */
    public enum Type {
        /** A peer asks a listener to connect: answer or close {@link Event#request()}. */
        CONNECT_REQUEST,
        /**
         * A connection was established: {@link Event#connection()} is the application's to close. A {@link #COMPLETION}
         * for the peer's first message can come before; {@link PendingConnection#queuePair()} identifies its queue pair
         * in advance.
         */
        ESTABLISHED,
        /**
         * An attempt has failed and was undone, or a listener receives no more requests: {@link Event#failure()} is the
         * reason.
         */
        FAILED,
        /** A connection is down, by either side: {@link Event#connection()}. */
        DISCONNECTED,
        /** An armed completion queue has completions: {@link Event#completionQueue()}. */
        COMPLETION,
        /** An asynchronous event of a device: {@link Event#asyncEvent()}. */
        ASYNC
    }

    // Written by EventHolders.
    Type type = Type.COMPLETION;

    @Nullable
    Object source;

    @Nullable
    Object attachment;

    @Nullable
    Object subject;

    Event() {}

    /** Returns the kind of the event. */
    public Type type() {
        return type;
    }

    /**
     * Returns the member that the event concerns: the {@link Listener}, {@link PendingConnection}, {@link Connection}
     * or {@link CompletionChannel}; for {@link Type#ASYNC} the source of the asynchronous event.
     */
    public Object source() {
        return Objects.requireNonNull(source, "no event");
    }

    /** Returns the attachment given when the member was added, null if none. */
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
     * Returns the connection of an {@link Type#ESTABLISHED} or {@link Type#DISCONNECTED}.
     *
     * @throws IllegalStateException if the event is of another type
     */
    public Connection connection() {
        return subject(type == Type.DISCONNECTED ? type : Type.ESTABLISHED, Connection.class);
    }

    /**
     * Returns why the attempt or listener {@link Type#FAILED}: {@link ConnectionException},
     * {@link DeadlineExceededException} or another exception.
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
     * Returns the asynchronous event of an {@link Type#ASYNC}.
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

    @Override
    public String toString() {
        return subject == null ? "no event" : type + " of " + source;
    }
}
