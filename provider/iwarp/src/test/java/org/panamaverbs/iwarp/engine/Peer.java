package org.panamaverbs.iwarp.engine;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** One side of a test: a context with a domain, a completion queue, a buffer, and a connection once it is made. */
final class Peer implements AutoCloseable {
    static final Access[] ALL = {
        Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC, Access.MEMORY_WINDOW_BIND
    };
    static final int BUFFER_BYTES = 1 << 20;

    final Verbs verbs;
    final ProtectionDomain domain;
    final CompletionQueue queue;
    final RegisteredBuffer buffer;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(1);
    private final List<Runnable> more = new ArrayList<>();
    private @Nullable Connection connection;

    Peer(String... options) {
        this(256, options);
    }

    Peer(int capacity, String... options) {
        verbs = IwarpVerbs.open(opening(options), "a test");
        domain = verbs.protectionDomain();
        queue = verbs.completionQueue(capacity);
        buffer = domain.allocate(BUFFER_BYTES, ALL);
    }

    /** Returns what opens a context with {@code options}, each a name, an equals sign and a value. */
    static OpenConfig opening(String... options) {
        OpenConfig config = OpenConfig.provider("iwarp");
        for (String option : options) {
            int equals = option.indexOf('=');
            config = config.with(option.substring(0, equals), option.substring(equals + 1));
        }
        return config;
    }

    static Deadline soon() {
        return Deadline.in(20, SECONDS);
    }

    QueuePairConfig config() {
        return QueuePairConfig.of(domain, queue).withAllRemoteAccess();
    }

    /** Takes over {@code made}, to be closed with the rest. */
    void connected(Connection made) {
        connection = made;
    }

    Connection connection() {
        Connection made = connection;
        if (made == null) {
            throw new IllegalStateException("not connected");
        }
        return made;
    }

    QueuePair queuePair() {
        return connection().queuePair();
    }

    /** Has {@code queuePair} closed before everything else. */
    void closeFirst(QueuePair queuePair) {
        more.add(queuePair::close);
    }

    /** Has {@code other} closed before everything else. */
    void closeFirst(Connection other) {
        more.add(other::close);
    }

    /** Connects {@code client} to {@code server}, on whose queue pair {@code prepare} may post receives. */
    static void connect(
            Peer client,
            QueuePairConfig clientConfig,
            Peer server,
            QueuePairConfig serverConfig,
            Listener listener,
            ConnectionConfig config,
            Consumer<QueuePair> prepare)
            throws InterruptedException {
        Background<Connection> accepted = Background.start(() -> {
            ConnectionRequest request = listener.accept(soon());
            QueuePair queuePair = serverConfig.domain().queuePair(serverConfig);
            server.closeFirst(queuePair);
            prepare.accept(queuePair);
            return request.accept(queuePair, config, soon());
        });
        client.connection = client.verbs.connect(listener.localAddress(), clientConfig, config, soon());
        server.connection = accepted.get();
    }

    /**
     * Connects {@code client} to {@code server}, which listens at {@code listener}, each with its configuration;
     * {@code prepare} may post receives to the server's queue pair.
     */
    static void connect(Peer client, Peer server, Listener listener, Consumer<QueuePair> prepare)
            throws InterruptedException {
        connect(client, client.config(), server, server.config(), listener, ConnectionConfig.defaults(), prepare);
    }

    /** Connects two peers with nothing posted before. */
    static void connect(Peer client, Peer server, Listener listener) throws InterruptedException {
        connect(client, server, listener, queuePair -> {});
    }

    /** Connects {@code client} to {@code server} by a listener that is closed again. */
    static void connect(Peer client, Peer server) throws InterruptedException {
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            connect(client, server, listener);
        }
    }

    /** Waits for the next event of {@code type}; others are dropped. */
    AsyncEvent event(AsyncEvent.Type type) {
        while (true) {
            AsyncEvent event = verbs.asyncEvent(soon()).orElseThrow();
            if (event.type() == type) {
                return event;
            }
        }
    }

    /** Returns room for one completion. */
    WorkCompletions completions() {
        return completions;
    }

    /** Waits for the next completion. */
    WorkCompletion next() {
        queue.poll(completions, soon());
        return completions.get(0);
    }

    /** Waits for the next completion, which must be a success. */
    WorkCompletion nextOk() {
        WorkCompletion next = next();
        if (!next.ok()) {
            throw new AssertionError("expected a success: " + next);
        }
        return next;
    }

    /** Returns the other side's buffer as this side names it. */
    static RemoteBuffer remote(Peer other) {
        return other.buffer.remote();
    }

    @Override
    public void close() {
        if (connection != null) {
            connection.close();
        }
        more.reversed().forEach(Runnable::run);
        buffer.close();
        queue.close();
        domain.close();
        verbs.close();
    }
}
