package org.panamaverbs.iwarp.crowd;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.ListenerConfig;

/** Accepts everybody and sends back what comes, all on the thread that runs it. */
final class CrowdServer implements Runnable, AutoCloseable {
    private final CrowdSide side = new CrowdSide();
    private final Listener listener;
    private volatile boolean ending;
    /** How many connections there are, and how many attempts have failed; written by the thread that runs it. */
    volatile int connected;

    volatile int failed;

    private int failures;

    CrowdServer() {
        listener = side.verbs.listen(
                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), new ListenerConfig(1024, true));
        side.events.add(listener, null);
    }

    InetSocketAddress address() {
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
            case CONNECT_REQUEST ->
                side.begun(
                        event.request()
                                .beginAccept(
                                        side.queuePair(),
                                        ConnectionConfig.defaults().withDepths(1, 1),
                                        Deadline.in(30, TimeUnit.SECONDS)),
                        null);
            case ESTABLISHED -> {
                side.established(event.connection());
                connected = side.connections.size();
            }
            case FAILED -> failed = ++failures;
            case DISCONNECTED -> {
                side.disconnected(event.connection());
                connected = side.connections.size();
            }
            case COMPLETION -> side.drain(side::send);
            case ASYNC -> throw new AssertionError(event.asyncEvent().toString());
        }
    }

    void end() {
        ending = true;
        side.events.wakeup();
    }

    @Override
    public void close() {
        listener.close();
        side.close();
    }
}
