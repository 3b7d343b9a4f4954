package org.panamaverbs.iwarp.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionRequest;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.ListenerConfig;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.TlsConfig;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.iwarp.TestCertificates;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.faults.StackEndProgram;

/**
 * Calls whose stack ends in them, at each depth, on connections that live: what a peer is sent it takes, and what has
 * ended is connected anew before the next call. No lock stays locked, each request that was accepted completes, once
 * and in order, the same call goes on, other connections of the same contexts go on, new ones can be made, no thread
 * spins, everything can be closed, and nothing is left. A program, since what stays locked would keep JUnit's JVM for
 * ever.
 */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
final class StackEnds {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int RECEIVES = 64;
    static final int MANY = 20;
    static final int OCTETS = 100;
    // Of receives whose order nobody looks at.
    static final long RECEIVE = 0;

    private final boolean tls;
    private final boolean direct;
    final Peer client;
    final Peer server;
    private final Listener listener;
    private final Listener ownListener;
    private final SharedReceiveQueue serverReceives;
    final SharedReceiveQueue shared;
    final CompletionChannel channel;
    final CompletionQueue channelQueue;
    final ReceiveList list;
    private final Set<Connection> accepted = ConcurrentHashMap.newKeySet();
    private final Thread acceptor;
    final Set<Connection> made = ConcurrentHashMap.newKeySet();
    private final Set<Connection> asked = ConcurrentHashMap.newKeySet();
    private final WorkCompletions completions = WorkCompletions.ofCapacity(16);
    final WorkCompletions own = WorkCompletions.ofCapacity(16);
    final List<Connection> many = new ArrayList<>();
    private final CompletionQueue besideQueue;
    private final WorkCompletions besides = WorkCompletions.ofCapacity(1);
    private final Connection beside;
    volatile Connection connection;
    volatile MemoryWindow window;
    private volatile boolean closing;
    private volatile boolean asking;
    private @Nullable Thread asker;
    private @Nullable ConnectionRequest request;
    private int ended;
    final CompletionLedger sends = new CompletionLedger();
    final CompletionLedger receives = new CompletionLedger();
    // How many completions the call has got in its own list: noted by a store, which needs no stack.
    int polled;

    /**
     * Prints a line for each call: its name, how often it was tried, how often the stack ended.
     *
     * @param args the options of the context that is tried, of which the peer has all but the way of progress, with
     *     {@code tls} for connections under TLS; and the calls, without any all of them
     */
    public static void main(String[] args) throws Exception {
        for (StackEndCall call : StackEndCall.values()) {
            if (args.length > 1 && !Arrays.asList(args).contains(call.name())) {
                continue;
            }
            StackEnds ends = new StackEnds(args[0]);
            ends.through(call);
            ends.close();
        }
    }

    private StackEnds(String text) throws InterruptedException {
        tls = text.contains("tls");
        direct = text.contains("shm.direct=on");
        List<String> options = Stream.of(text.split(" ", -1))
                .filter(option -> !option.equals("tls"))
                .toList();
        client = new Peer(1024, options.toArray(String[]::new));
        // It answers whatever the thread at the end of its stack does.
        server = new Peer(
                4096,
                options.stream()
                        .filter(option -> !option.startsWith("progress="))
                        .toArray(String[]::new));
        listener = server.verbs.listen(ANY_PORT, listening());
        ownListener = client.verbs.listen(ANY_PORT, listening());
        serverReceives = server.domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(RECEIVES));
        shared = client.domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(RECEIVES));
        channel = client.verbs.completionChannel();
        channelQueue = client.verbs.completionQueue(CompletionQueueConfig.of(16).withChannel(channel));
        window = client.domain.memoryWindow(MemoryWindow.Type.TYPE_2);
        list = ReceiveList.ofCapacity(3);
        while (list.count() < list.capacity()) {
            list.add(RECEIVE, client.buffer, 0, OCTETS);
        }
        receiveMore();
        acceptor = Thread.ofPlatform().daemon().name("acceptor").start(this::acceptAll);
        connection = connect();
        besideQueue = client.verbs.completionQueue(16);
        beside = client.verbs.connect(
                listener.localAddress(), QueuePairConfig.of(client.domain, besideQueue), connecting(), Peer.soon());
    }

    private ListenerConfig listening() {
        ListenerConfig defaults = ListenerConfig.defaults();
        return tls ? defaults.withTls(TlsConfig.of(TestCertificates.context(TestCertificates.SERVER))) : defaults;
    }

    private ConnectionConfig connecting() {
        ConnectionConfig defaults = ConnectionConfig.defaults();
        return tls ? defaults.withTls(TlsConfig.of(TestCertificates.context(null))) : defaults;
    }

    // ---- the peer -------------------------------------------------------------------------------------------------

    private void acceptAll() {
        while (!closing) {
            try {
                listener.poll(Deadline.in(1, SECONDS))
                        .ifPresent(request -> accepted.add(request.accept(
                                server.config().withShared(serverReceives), ConnectionConfig.defaults(), Peer.soon())));
            } catch (VerbsException | IllegalStateException e) {
                // Who asked has gone meanwhile, or the listener is closed: on to the next.
            }
        }
    }

    void startAsking() {
        asking = true;
        asker = Thread.ofPlatform().daemon().name("asker").start(() -> {
            while (asking) {
                try {
                    asked.add(server.verbs.connect(
                            ownListener.localAddress(), server.config(), connecting(), Peer.soon()));
                } catch (VerbsException | IllegalStateException e) {
                    // It was not accepted: on to the next.
                }
            }
        });
        request = ownListener.accept(Peer.soon());
    }

    ConnectionRequest asked() {
        return Objects.requireNonNull(request);
    }

    /** Has a request for the next call, whatever became of the one before. */
    private void askAgain() {
        if (request != null) {
            request.close();
            closeThose(asked, each -> true);
            request = ownListener.accept(Peer.soon());
        }
    }

    private void stopAsking() throws InterruptedException {
        if (asker != null) {
            asking = false;
            asked().close();
            request = null;
            // It may ask once more before it sees that.
            while (asker.isAlive()) {
                ownListener.poll(Deadline.in(1, MILLISECONDS)).ifPresent(ConnectionRequest::close);
            }
            asker.join();
            asker = null;
            closeThose(asked, each -> true);
        }
    }

    private void receiveMore() {
        int status = PostStatus.ACCEPTED;
        while (status == PostStatus.ACCEPTED) {
            status = serverReceives.recv(1, server.buffer, 0, OCTETS);
        }
    }

    private void tidyServer() {
        while (server.queue.poll(completions) != 0) {
            receiveMore();
        }
        receiveMore();
        closeThose(accepted, each -> !each.isConnected());
    }

    private static void closeThose(Set<Connection> connections, Predicate<Connection> which) {
        for (Connection each : List.copyOf(connections)) {
            if (which.test(each)) {
                each.close();
                connections.remove(each);
            }
        }
    }

    // ---- this side ------------------------------------------------------------------------------------------------

    QueuePair queuePair() {
        return connection.queuePair();
    }

    void send(QueuePair which) {
        long id = sends.next();
        sends.answered(id, which.send(id, client.buffer, 0, OCTETS, SIGNALED));
    }

    Connection connectOnce() {
        return client.verbs.connect(listener.localAddress(), client.config(), connecting(), Peer.soon());
    }

    Connection connect() {
        return connectOnce();
    }

    /** Everything for the next call; where its stack does not end. */
    private void between() {
        take(own, polled);
        polled = 0;
        submitRest();
        takeAll();
        closeThose(made, each -> true);
        askAgain();
        // The last one may be bound still: the call that was to invalidate it overflowed.
        window.close();
        window = client.domain.memoryWindow(MemoryWindow.Type.TYPE_2);
        connection = alive(connection);
        many.replaceAll(this::alive);
        // It goes on, or ends.
        send(queuePair());
        takeAll();
        if (direct) {
            writeEverywhere();
        }
    }

    // A connection maps memory of the peer when it first writes there.
    private void writeEverywhere() {
        RemoteBuffer remote = server.buffer.remote();
        long id = sends.next();
        sends.answered(id, queuePair().write(id, client.buffer, 0, OCTETS, remote, 0, SIGNALED));
        takeAll();
        beside.queuePair().write(1, client.buffer, 0, OCTETS, remote, 0, SIGNALED);
        besideQueue.poll(besides, Peer.soon());
    }

    private void awaitDirect() {
        Deadline deadline = Peer.soon();
        while (queuePair().statistics().sendsDirect() == 0
                || beside.queuePair().statistics().sendsDirect() == 0) {
            if (deadline.passed()) {
                throw new AssertionError("nothing goes directly on " + connection + " or " + beside);
            }
            between();
        }
    }

    /** Ends the batch that a call may have left open: what it holds is posted. */
    private void submitRest() {
        if (queuePair() instanceof ManagedResource closed && !closed.isOpen()) {
            return; // with all that it withheld
        }
        Batch batch = queuePair().batch();
        do {
            if (batch.submit() < 0) {
                batch.discard(); // the connection has ended
            }
        } while (batch.pending() > 0);
    }

    /** Takes what there is, and waits for the completions of all that was accepted. */
    private void takeAll() {
        Deadline deadline = Peer.soon();
        int count;
        do {
            tidyServer();
            count = client.queue.poll(completions);
            take(completions, count);
            if (count == 0 && deadline.passed()) {
                throw new AssertionError(sends + " of " + connection);
            }
        } while (count != 0 || sends.isAwaiting());
    }

    private void take(WorkCompletions from, int count) {
        for (int i = 0; i < count; i++) {
            WorkCompletion each = from.get(i);
            if (each.wrId() > RECEIVE) {
                sends.completed(each);
            } else if (each.wrId() < RECEIVE) {
                receives.completed(-each.wrId(), each);
            }
        }
    }

    private Connection alive(Connection which) {
        if (which.isConnected()) {
            return which;
        }
        ended++;
        which.close();
        return connect();
    }

    private void through(StackEndCall call) throws InterruptedException {
        between();
        if (call == StackEndCall.POLL_OF_MANY) {
            // What tells which of many streams have something is made for the first who needs it, and stays.
            call.made(this).run();
            between();
            closeMany();
            between();
        }
        if (direct) {
            awaitDirect();
        }
        awaitPeer();
        Inventory before = Inventory.of(client, server);
        Runnable run = call.made(this);
        once(call, run);
        between();
        StackEndProgram.through(call.name(), run, this::between);
        System.out.println(call + ": " + ended + " connections ended");
        runAgain(call, run);
        othersGoOn(call);
        closeMany();
        before.await(this::between, client, server);
        Inventory.awaitRest(client);
        Inventory.awaitRest(server);
    }

    /**
     * Waits until the peer has accepted what is connected here, and closed what has ended: both come a little later
     * there.
     */
    private void awaitPeer() {
        Deadline deadline = Peer.soon();
        while (accepted.size() != 2 + many.size()) {
            if (deadline.passed()) {
                throw new AssertionError("the peer has " + accepted.size() + " connections");
            }
            tidyServer();
            Thread.yield();
        }
    }

    private static void once(StackEndCall call, Runnable run) {
        try {
            run.run();
        } catch (DeadlineExceededException e) {
            if (call != StackEndCall.POLL_WAITING) {
                throw e;
            }
            // It waits no longer than the test has time for: what it was to find comes later.
        }
    }

    private void closeMany() {
        many.forEach(Connection::close);
        many.clear();
    }

    private void runAgain(StackEndCall call, Runnable run) {
        int endedBefore = ended;
        once(call, run);
        between();
        if (ended != endedBefore && call != StackEndCall.DISCONNECT && call != StackEndCall.CLOSE) {
            throw new AssertionError(call + " ends its connection where the stack does not end");
        }
    }

    private void othersGoOn(StackEndCall call) throws InterruptedException {
        stopAsking();
        beside.queuePair().write(1, client.buffer, 0, OCTETS, server.buffer.remote(), 0, SIGNALED);
        besideQueue.poll(besides, Peer.soon());
        Connection fresh = connect();
        fresh.disconnect(Peer.soon());
        fresh.close();
        if (!besides.get(0).ok() || !beside.isConnected()) {
            throw new AssertionError("another connection does not go on after " + call + ": " + besides.get(0));
        }
    }

    private void close() throws InterruptedException {
        closing = true;
        acceptor.join();
        closeThose(made, each -> true);
        many.forEach(Connection::close);
        connection.close();
        beside.close();
        listener.close();
        ownListener.close();
        closeThose(accepted, each -> true);
        window.close();
        shared.close();
        serverReceives.close();
        besideQueue.close();
        channelQueue.close();
        channel.close();
        client.close();
        server.close();
    }
}
