package org.panamaverbs.sockets.channel;

import org.panamaverbs.sockets.stream.StreamObserver;

/** A channel of ours, as a selector sees it. */
public interface ReadyChannel {
    /** Returns the operations, of {@code interest}, that the channel is ready for now. */
    int ready(int interest);

    /** Has {@code key} told whenever the channel may be ready for something that it was not. */
    void addKey(StreamObserver key);

    /** Undoes {@link #addKey}. */
    void removeKey(StreamObserver key);
}
