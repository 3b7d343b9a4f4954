package org.panamaverbs.testkit.crowd;

import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;

/** Accepts everybody and sends back what comes, all on the thread that runs it. */
public final class CrowdServer implements Runnable, AutoCloseable {
    private final CrowdSide side;
    private final Listener listener;
    private final Deadline deadline;
    private volatile boolean ending;
    private final AtomicInteger unconnected = new AtomicInteger();
    // Written by the thread that runs it.
    private volatile int connected;

    /**
     * Listens at {@code address} with {@code verbs}, which it closes; whoever asks is accepted until {@code deadline}.
     */
    public CrowdServer(Verbs verbs, InetSocketAddress address, Deadline deadline) {
        side = new CrowdSide(verbs);
        this.deadline = deadline;
        listener = side.verbs.listen(address, ListenerConfig.defaults().withBacklog(1024));
        side.events.add(listener, null);
    }

    /** Returns how many connections there are. */
    public int connected() {
        return connected;
    }

    /** Returns how many have asked and were not connected, so far or for good. */
    public int unconnected() {
        return unconnected.get();
    }

    /** Returns where it listens. */
    public InetSocketAddress address() {
        return listener.localAddress();
    }

    @Override
    public void run() {
        while (!ending) {
            int count = side.await(Deadline.never());
            for (int i = 0; i < count; i++) {
                serve(side.taken.get(i));
            }
        }
    }

    private void serve(Event event) {
        switch (event.type()) {
            case CONNECT_REQUEST -> {
                unconnected.incrementAndGet();
                ConnectionConfig config = ConnectionConfig.defaults().withDepths(1, 1);
                side.begun(event.request().beginAccept(side.queuePair(), config, deadline), null);
            }
            case ESTABLISHED -> {
                unconnected.decrementAndGet();
                side.established(event.connection());
                connected = side.connections.size();
            }
            case FAILED -> {} // it stays unconnected
            case DISCONNECTED -> {
                side.disconnected(event.connection());
                connected = side.connections.size();
            }
            case COMPLETION -> side.drain(side::send);
            case ASYNC -> throw new AssertionError(event.asyncEvent().toString());
        }
    }

    /** Has the thread that runs it return. */
    public void end() {
        ending = true;
        side.events.wakeup();
    }

    @Override
    public void close() {
        listener.close();
        side.close();
    }
}
