package org.panamaverbs.sockets.channel;

import java.nio.channels.SelectableChannel;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.sockets.stream.Driver;
import org.panamaverbs.sockets.stream.StreamObserver;

/** A channel of ours, as a selector sees it. */
public interface ReadyChannel {
    /** Returns the operations, of {@code interest}, that the channel is ready for now. */
    int ready(int interest);

    /**
     * Has keys told when the channel may be ready for something that it was not; to be called when it was found not to
     * be and will not be looked at again and again.
     *
     * @return whether it is to be looked at once more, as they would not have been told so far
     */
    default boolean arm() {
        return false;
    }

    /** Returns what tells of its readiness when it is not looked at; null if there is nothing so far. */
    @Nullable
    Driver driver();

    /**
     * Returns the JDK's channel whose readiness is this one's, too, as it goes by TCP; null if there is none so far.
     */
    default @Nullable SelectableChannel plain() {
        return null;
    }

    /** Has {@code key} told whenever the channel may be ready for something that it was not. */
    void addKey(StreamObserver key);

    /** Undoes {@link #addKey}. */
    void removeKey(StreamObserver key);
}
