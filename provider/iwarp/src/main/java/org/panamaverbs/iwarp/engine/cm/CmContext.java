package org.panamaverbs.iwarp.engine.cm;

import org.panamaverbs.iwarp.engine.context.Context;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.IwarpOptions;
import org.panamaverbs.iwarp.engine.progress.Streams;
import org.panamaverbs.iwarp.engine.transport.factory.Transports;
import org.panamaverbs.memory.ManagedResource;

/**
 * What the connection manager of a context works with.
 *
 * @param streams the streams of the context
 * @param transports what carries connections
 */
public record CmContext(Streams streams, Transports transports) {
    Context context() {
        return streams.context();
    }

    /** Returns what connections, requests and listeners are children of. */
    ManagedResource owner() {
        return context().owner();
    }

    IwarpOptions options() {
        return context().options();
    }

    EventLoop loop() {
        return context().loop();
    }
}
