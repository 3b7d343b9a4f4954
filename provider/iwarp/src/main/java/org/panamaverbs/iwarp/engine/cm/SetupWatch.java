package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.LoopHandler;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Watch;

/**
 * What the event loop watches while a connection is set up: the channel of its transport, which may become another.
 * Belongs to the event loop's thread.
 */
final class SetupWatch {
    private final EventLoop loop;
    private final LoopHandler handler;
    private final Runnable again;
    private @Nullable Watch watch;
    /** What is watched, once something is. */
    private @Nullable Pollable channel;

    /** Creates a watch of nothing; {@code again} is run where no readiness of the channel would tell. */
    SetupWatch(EventLoop loop, LoopHandler handler, Runnable again) {
        this.loop = loop;
        this.handler = handler;
        this.again = again;
    }

    /**
     * Returns the watch of the channel.
     *
     * @throws IllegalStateException if nothing is watched so far
     */
    Watch registered() {
        Watch registered = watch;
        if (registered == null) {
            throw new IllegalStateException("no channel of the connection is registered");
        }
        return registered;
    }

    /** Waits until {@code transport} can do one of {@code operations}. */
    void await(Transport transport, int operations) throws IOException {
        int awaited = transport.await(operations, false);
        channel(transport, awaited & ~Transport.NOW);
        if ((awaited & Transport.NOW) != 0) {
            loop.execute(again);
        }
    }

    /**
     * Watches the channel of {@code transport} for {@code operations}, in place of the one before if it has another.
     */
    void channel(Transport transport, int operations) throws IOException {
        Pollable its = transport.channel();
        if (its.equals(channel)) {
            registered().interest(operations);
            return;
        }
        if (watch != null) {
            watch.cancel();
        }
        channel = its;
        watch = loop.register(its, operations, handler);
    }

    /** Forgets the channel, which is about to be closed. */
    void forget() {
        channel = null;
        watch = null;
    }
}
