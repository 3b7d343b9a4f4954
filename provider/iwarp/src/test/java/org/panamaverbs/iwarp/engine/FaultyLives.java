package org.panamaverbs.iwarp.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.api.SendFlag.SOLICITED;

import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Stream;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.iwarp.TestCertificates;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.faults.FaultScenario;
import org.panamaverbs.testkit.faults.Recovery;

/**
 * A life of everything that the provider makes, over and over in two contexts that live on, beside a connection that
 * must not notice. Made by name, by who loads the provider's classes for faults.
 */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
public final class FaultyLives implements FaultScenario {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int LONG_BYTES = 200_000;
    private static final int RECEIVES = 8;
    private static final long SHORT_SECONDS = 1;
    private static final long LONG_SECONDS = 20;

    private final OpenConfig opening;
    private final Peer client;
    private final Peer server;
    private final Listener listener;
    private final InetSocketAddress named;
    // Of two threads: each opens an end of a connection.
    private final Deque<AutoCloseable> open = new ConcurrentLinkedDeque<>();
    private final Deque<CompletableFuture<?>> helpers = new ArrayDeque<>();
    private final WorkCompletions completions = WorkCompletions.ofCapacity(8);
    private final Inventory before;
    private ConnectionConfig connecting = ConnectionConfig.defaults();
    // A life with a fault may wait in vain, the one after it may not: that has all the time a slow machine needs.
    private long patience = LONG_SECONDS;

    /**
     * Opens the contexts.
     *
     * @param text options with values, and {@code tls} for connections with it
     */
    public FaultyLives(String text) throws Exception {
        boolean tls = text.contains("tls");
        String[] options = Stream.of(text.split(" "))
                .filter(option -> !option.equals("tls"))
                .toArray(String[]::new);
        if (tls) {
            connecting = connecting.withTls(TlsConfig.of(TestCertificates.context(null)));
        }
        opening = Peer.opening(options);
        client = new Peer(options);
        server = new Peer(options);
        ListenerConfig listening = ListenerConfig.defaults();
        listener = server.verbs.listen(
                ANY_PORT,
                tls ? listening.withTls(TlsConfig.of(TestCertificates.context(TestCertificates.SERVER))) : listening);
        named = InetSocketAddress.createUnresolved(
                "localhost", listener.localAddress().getPort());
        CompletableFuture<Connection> accepting = start(() -> {
            try (ConnectionRequest request = listener.accept(soon())) {
                return request.accept(server.config(), ConnectionConfig.defaults(), soon());
            }
        });
        client.connected(client.verbs.connect(listener.localAddress(), client.config(), connecting, soon()));
        server.connected(accepting.get(LONG_SECONDS, SECONDS));
        turn();
        Recovery recovery = new Recovery();
        recoverHandles(recovery);
        recovery.check();
        before = Inventory.of(client, server);
    }

    private Deadline briefly() {
        return Deadline.in(patience, SECONDS);
    }

    private static Deadline soon() {
        return Deadline.in(LONG_SECONDS, SECONDS);
    }

    private <T extends AutoCloseable> T opened(T resource) {
        open.push(resource);
        return resource;
    }

    // ---- the life -------------------------------------------------------------------------------------------------

    @Override
    public void run() throws Exception {
        try (Verbs context = opened(IwarpVerbs.open(opening, "a test"))) {
            context.capabilities();
        }
        patience = SHORT_SECONDS;
        try {
            turn();
        } finally {
            patience = LONG_SECONDS;
        }
    }

    /** One side of a life. */
    private final class Side {
        final ProtectionDomain domain;
        final CompletionChannel channel;
        final CompletionQueue queue;
        final RegisteredBuffer buffer;
        QueuePairConfig config;
        int got;

        Side(Verbs verbs) {
            domain = opened(verbs.protectionDomain());
            channel = opened(verbs.completionChannel());
            queue = opened(verbs.completionQueue(CompletionQueueConfig.of(64).withChannel(channel)));
            buffer = opened(domain.allocate(1 << 20, Peer.ALL));
            config = QueuePairConfig.of(domain, queue).withAllRemoteAccess();
        }
    }

    private void turn() throws Exception {
        Side ours = new Side(client.verbs);
        Side theirs = new Side(server.verbs);
        SharedReceiveQueue shared = opened(theirs.domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(16)));
        theirs.config = theirs.config.withSrq(shared);
        Arena arena = Arena.ofShared();
        open.push(arena);
        RegisteredBuffer foreign = opened(theirs.domain.register(arena.allocate(4096), Access.LOCAL_WRITE));
        for (int i = 0; i < RECEIVES; i++) {
            shared.recv(i, theirs.buffer, i * 100_000L, 100_000);
        }
        shared.armLimit(RECEIVES - 2);
        rejected(ours);
        MemoryWindow window = opened(ours.domain.memoryWindow(MemoryWindow.Type.TYPE_2));
        Deadline accepts = briefly();
        CompletableFuture<Connection> accepting = start(() -> accepted(theirs, accepts));
        Connection ourEnd = opened(client.verbs.connect(named, ours.config, connecting, briefly()));
        Connection theirEnd = accepting.get(2 * patience, SECONDS);
        exchange(ours, theirs, ourEnd, theirEnd, window);
        awaitLimit(shared);
        Deadline leaves = briefly();
        CompletableFuture<Boolean> leaving = start(() -> {
            ourEnd.disconnect(leaves);
            return true;
        });
        theirEnd.awaitDisconnect(briefly());
        leaving.get(2 * patience, SECONDS);
        client.verbs.asyncEvent(Deadline.in(1, MILLISECONDS));
        foreign.close();
        while (!open.isEmpty()) {
            AutoCloseable last = open.peek();
            last.close();
            open.pop();
        }
    }

    private void rejected(Side ours) throws Exception {
        Deadline rejects = briefly();
        CompletableFuture<Boolean> rejecting = start(() -> {
            try (ConnectionRequest request = listener.accept(rejects)) {
                request.reject(new byte[] {1});
            }
            return true;
        });
        try {
            opened(client.verbs.connect(listener.localAddress(), ours.config, connecting, briefly()));
            throw new IllegalStateException("connected with who rejects");
        } catch (ConnectionException e) {
            if (e.reason() != ConnectionException.Reason.REJECTED) {
                throw e;
            }
        }
        rejecting.get(2 * patience, SECONDS);
    }

    private void awaitLimit(SharedReceiveQueue shared) {
        Deadline deadline = briefly();
        while (true) {
            AsyncEvent event = server.verbs
                    .asyncEvent(deadline)
                    .orElseThrow(() -> new IllegalStateException("the limit is not told"));
            if (event.type() == AsyncEvent.Type.SRQ_LIMIT_REACHED
                    && event.source().equals(shared)) {
                return;
            }
        }
    }

    private Connection accepted(Side theirs, Deadline deadline) {
        try (ConnectionRequest request = listener.accept(deadline)) {
            return opened(request.accept(theirs.config, ConnectionConfig.defaults(), deadline));
        }
    }

    private <T> CompletableFuture<T> start(Callable<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        helpers.push(done);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                done.complete(work.call());
            } catch (Exception | Error e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private void exchange(Side ours, Side theirs, Connection ourEnd, Connection theirEnd, MemoryWindow window) {
        QueuePair posts = ourEnd.queuePair();
        RemoteBuffer remote = theirs.buffer.remote();
        theirs.queue.arm(true);
        accepted(posts.bind(1, window, ours.buffer, 0, 4096, SIGNALED, Access.REMOTE_READ));
        accepted(posts.send(2, ours.buffer, 0, 100, SIGNALED | SOLICITED));
        accepted(posts.send(3, ours.buffer, 0, 50_000, SIGNALED));
        accepted(posts.write(4, ours.buffer, 0, LONG_BYTES, remote, 0, SIGNALED));
        accepted(posts.read(5, ours.buffer, 0, LONG_BYTES, remote, 0, SIGNALED));
        accepted(posts.fetchAdd(6, ours.buffer, 0, remote, 0, 1, SIGNALED));
        accepted(posts.sendInline(7, ours.buffer.segment(), 0, 64, SIGNALED));
        accepted(posts.writeInline(8, ours.buffer.segment(), 0, 64, remote, 0, SIGNALED));
        Batch batch = posts.batch();
        accepted(batch.send(9, ours.buffer, 0, 100, SIGNALED));
        accepted(batch.sendInline(10, ours.buffer.segment(), 0, 64, SIGNALED));
        accepted(batch.write(11, ours.buffer, 0, LONG_BYTES, remote, 0, SIGNALED));
        batch.submitAll();
        theirs.channel.await(briefly());
        await(ours, 11, theirs, ourEnd);
        accepted(theirEnd.queuePair().read(7, theirs.buffer, 0, 8192, ours.buffer.remote(), 0, SIGNALED));
        // The Read, and the receives that five Sends have taken.
        await(theirs, 6, ours, theirEnd);
    }

    private static void accepted(int status) {
        if (status != PostStatus.ACCEPTED) {
            throw new IllegalStateException("refused: " + PostStatus.text(status));
        }
    }

    /** Waits until {@code side} has got {@code wanted} completions in all; with progress=spin both sides need polls. */
    private void await(Side side, int wanted, Side other, Connection end) {
        Deadline deadline = briefly();
        while (side.got < wanted) {
            int count = side.queue.poll(completions);
            side.got += count;
            other.got += other.queue.poll(completions);
            if (count == 0 && (deadline.passed() || !end.isConnected())) {
                throw new IllegalStateException("no completion " + side.got + " at " + end + end.terminateCause());
            }
        }
    }

    // ---- after it -------------------------------------------------------------------------------------------------

    @Override
    public void recover() {
        Recovery recovery = new Recovery();
        recoverHandles(recovery);
        recovery.step("the other connection", () -> {
            ping(client, server);
            ping(server, client);
        });
        recovery.step("a new life", this::turn);
        recoverHandles(recovery);
        recovery.step("what is left", () -> before.await(() -> {}, client, server));
        recovery.step("the event loops", () -> {
            Inventory.awaitRest(client);
            Inventory.awaitRest(server);
        });
        recovery.check();
    }

    private void recoverHandles(Recovery recovery) {
        while (!helpers.isEmpty()) {
            CompletableFuture<?> helper = helpers.pop();
            recovery.step(
                    "the accepting thread",
                    () -> helper.handle((result, thrown) -> 0).get(LONG_SECONDS, SECONDS));
        }
        // A request that came too late for who waited for it.
        recovery.step("the listener", () -> listener.poll(Deadline.now()).ifPresent(ConnectionRequest::close));
        recovery.closeAll(open);
    }

    private static void ping(Peer from, Peer to) {
        to.queuePair().recv(1, to.buffer, 0, 100);
        from.queuePair().send(2, from.buffer, 0, 100, SIGNALED);
        assertThat(next(from)).isEqualTo(2);
        assertThat(next(to)).isEqualTo(1);
    }

    private static long next(Peer peer) {
        WorkCompletions one = WorkCompletions.ofCapacity(1);
        peer.queue.poll(one, soon());
        assertThat(one.get(0).ok()).as("%s", one.get(0)).isTrue();
        return one.get(0).wrId();
    }

    @Override
    public void close() {
        listener.close();
        client.close();
        server.close();
    }
}
