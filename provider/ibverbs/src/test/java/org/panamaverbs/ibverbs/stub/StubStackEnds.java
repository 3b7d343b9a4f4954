package org.panamaverbs.ibverbs.stub;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionRequest;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.ListenerConfig;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.MulticastConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.WcField;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.ibverbs.completion.IbvCompletionChannel;
import org.panamaverbs.ibverbs.datagram.IbvDatagrams;
import org.panamaverbs.ibverbs.queuepair.IbvProtectionDomain;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.faults.StackEnd;
import org.panamaverbs.testkit.process.ProcessorTime;

/**
 * Calls whose stack ends in them, at each depth, on queue pairs that are connected: what has ended is connected anew
 * before the next call. No gate stays held and no lock locked, no request is posted twice, the same call goes on, other
 * connections go on, new ones can be made, no thread spins, everything can be closed, and nothing native is left. A
 * program, since what stays held would keep JUnit's JVM for ever.
 */
public final class StubStackEnds implements AutoCloseable {
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7174);
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final InetAddress GROUP = group();
    private static final int ROUNDS = Integer.getInteger("faults.rounds", 1);
    private static final int MANY = 20;
    private static final int OCTETS = 100;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final StubVerbs verbs = new StubVerbs(EnumSet.of(
            Feature.MEMORY_WINDOW_TYPE_1,
            Feature.MEMORY_WINDOW_TYPE_2,
            Feature.LOCAL_INVALIDATE,
            Feature.SHARED_RECEIVE_QUEUE,
            Feature.ATOMICS,
            Feature.CQ_RESIZE,
            Feature.EXTENDED_CQ,
            Feature.MULTICAST));
    private final CompletionQueue queue = verbs.queue(4096);
    private final RegisteredBuffer buffer = verbs.domain()
            .allocate(
                    4096,
                    Access.LOCAL_WRITE,
                    Access.REMOTE_READ,
                    Access.REMOTE_WRITE,
                    Access.REMOTE_ATOMIC,
                    Access.MEMORY_WINDOW_BIND);
    private final SharedReceiveQueue shared = verbs.domain().sharedReceiveQueue(SharedReceiveQueueConfig.of(16));
    private final MemoryWindow window1 = verbs.domain().memoryWindow(MemoryWindow.Type.TYPE_1);
    private final MemoryWindow window2 = verbs.domain().memoryWindow(MemoryWindow.Type.TYPE_2);
    private final CompletionChannel channel = IbvCompletionChannel.create(verbs.context());
    private final CompletionQueue channelQueue = CompletionQueueMaker.make(
            verbs.context(), CompletionQueueConfig.of(16).withChannel(channel));
    private final AddressHandle handle = verbs.domain().addressHandle(AddressHandleConfig.to(new byte[16]));
    private final IbvDatagrams datagrams = new IbvDatagrams(verbs.cm());
    private final IbvQueuePair datagramPair = datagramPair();
    private final Listener listener = verbs.connections().listen(ANY_PORT, ListenerConfig.defaults());
    private final CompletionQueue besideQueue = verbs.queue(16);
    private final Connection beside = connect(QueuePairConfig.of(verbs.domain(), besideQueue));
    private final CompletionQueue extendedQueue = CompletionQueueMaker.make(
            verbs.context(), CompletionQueueConfig.of(16).withFields(WcField.BYTE_COUNT));
    private final Connection extended = connect(QueuePairConfig.of(verbs.domain(), extendedQueue));
    private final List<Connection> many = new ArrayList<>();
    private final SgList piece = SgList.ofCapacity(1).add(buffer, 0, OCTETS);
    private final ReceiveList list =
            ReceiveList.ofCapacity(2).add(1, buffer, 0, OCTETS).add(1, buffer, 0, OCTETS);
    private final WorkCompletions completions = WorkCompletions.ofCapacity(16);
    private final WorkCompletions own = WorkCompletions.ofCapacity(16);
    private final WorkCompletions single = WorkCompletions.ofCapacity(1);
    // Made anew between calls, where it has ended.
    private volatile Connection connection = connect();
    // The next request's id, each used once. As all below the calling thread's, which sees to happens-before.
    private long next = 1;
    private long lastCompleted;
    // Of the extended queue: they come in the order of their posts, too.
    private long lastExtended;
    private int extendedTaken;
    private int ended;
    private Runnable peer = () -> {};
    private Runnable atOnce = () -> {};
    // What was made last, and whether a group is attached: noted by stores, which need no stack.
    private AutoCloseable last = () -> {};
    private boolean attached;

    /** What is called. */
    @SuppressWarnings("ImmutableEnumChecker") // of functions that hold nothing
    enum Call {
        SEND(ends -> () -> ends.queuePair().send(ends.next++, ends.buffer, 0, OCTETS, SIGNALED)),
        WRITE(ends ->
                () -> ends.queuePair().write(ends.next++, ends.buffer, 0, 1000, ends.buffer.remote(), 0, SIGNALED)),
        READ(ends ->
                () -> ends.queuePair().read(ends.next++, ends.buffer, 0, OCTETS, ends.buffer.remote(), 0, SIGNALED)),
        INLINE(ends -> () -> ends.queuePair().sendInline(ends.next++, ends.buffer.segment(), 0, 64, SIGNALED)),
        ATOMIC(ends ->
                () -> ends.queuePair().fetchAdd(ends.next++, ends.buffer, 0, ends.buffer.remote(), 64, 1, SIGNALED)),
        BIND(ends -> () -> {
            ends.queuePair().bind(ends.next++, ends.window2, ends.buffer, 0, OCTETS, SIGNALED, Access.REMOTE_READ);
            ends.queuePair().localInvalidate(ends.next++, ends.window2.stag(), SIGNALED);
        }),
        BIND_TYPE_ONE(ends -> () ->
                ends.queuePair().bind(ends.next++, ends.window1, ends.buffer, 0, OCTETS, SIGNALED, Access.REMOTE_READ)),
        BATCH(ends -> () -> {
            Batch batch = ends.queuePair().batch();
            try {
                batch.send(ends.next++, ends.buffer, 0, OCTETS, SIGNALED);
                batch.write(ends.next++, ends.buffer, 0, OCTETS, ends.buffer.remote(), 0, SIGNALED);
            } finally {
                batch.submitAll();
            }
        }),
        BATCH_OF_BINDS(ends -> () -> {
            Batch batch = ends.queuePair().batch();
            try {
                batch.bind(ends.next++, ends.window2, ends.buffer, 0, OCTETS, SIGNALED, Access.REMOTE_READ);
                batch.send(ends.next++, ends.buffer, 0, OCTETS, SIGNALED);
            } finally {
                batch.submitAll();
            }
        }),
        DATAGRAM(ends -> () -> ends.datagramPair.postDatagram(
                SendOpcode.SEND, ends.next++, ends.piece, ends.handle, 1, 0, 0, SIGNALED)),
        RECV(ends -> () -> ends.queuePair().recv(1, ends.buffer, 0, OCTETS)),
        SHARED_RECV(ends -> () -> ends.shared.recv(1, ends.buffer, 0, OCTETS)),
        RECV_LIST(ends -> () -> ends.queuePair().recv(ends.list)),
        SHARED_RECV_LIST(ends -> () -> ends.shared.recv(ends.list)),
        POLL(ends -> () -> {
            ends.queuePair().send(ends.next++, ends.buffer, 0, OCTETS, SIGNALED);
            ends.take(ends.queue.poll(ends.own));
        }),
        POLL_OF_MANY(ends -> {
            for (int i = 0; i < MANY; i++) {
                ends.many.add(ends.connect());
            }
            return () -> {
                ends.many.get(MANY / 2).queuePair().send(ends.next++, ends.buffer, 0, OCTETS, SIGNALED);
                ends.take(ends.queue.poll(ends.own));
            };
        }),
        POLL_WAITING(ends -> () -> {
            ends.queuePair().send(ends.next++, ends.buffer, 0, OCTETS, SIGNALED);
            ends.take(ends.queue.poll(ends.own, Deadline.in(100, MICROSECONDS)));
        }),
        POLL_EXTENDED(ends -> () -> {
            ends.sendExtended();
            ends.takeExtended(ends.own, ends.extendedQueue.poll(ends.own));
        }),
        POLL_EXTENDED_OF_TWO(ends -> {
            ends.atOnce = ends::waitForExtended;
            return () -> {
                ends.sendExtended();
                ends.sendExtended();
                ends.takeExtended(ends.single, ends.extendedQueue.poll(ends.single));
            };
        }),
        AWAIT(ends -> () -> {
            ends.channelQueue.arm(false);
            ends.channel.await(Deadline.in(100, MICROSECONDS));
        }),
        ASYNC_EVENT(ends -> {
            ends.before(() -> Stub.asyncEvents(1));
            return () -> ends.verbs.context().asyncEvent(Deadline.in(100, MICROSECONDS));
        }),
        REGISTER(ends -> ends.thenClosed(() -> ends.verbs.domain().allocate(4096, Access.LOCAL_WRITE))),
        DOMAIN(ends -> ends.thenClosed(() -> IbvProtectionDomain.create(ends.verbs.context()))),
        COMPLETION_CHANNEL(ends -> ends.thenClosed(() -> IbvCompletionChannel.create(ends.verbs.context()))),
        COMPLETION_QUEUE(ends ->
                ends.thenClosed(() -> CompletionQueueMaker.make(ends.verbs.context(), CompletionQueueConfig.of(16)))),
        EXTENDED_COMPLETION_QUEUE(ends -> ends.thenClosed(() -> CompletionQueueMaker.make(
                ends.verbs.context(), CompletionQueueConfig.of(16).withFields(WcField.BYTE_COUNT)))),
        RESIZE(ends -> () -> ends.channelQueue.resize(16 + (int) (ends.next++ % 16))),
        SHARED_RECEIVE_QUEUE(
                ends -> ends.thenClosed(() -> ends.verbs.domain().sharedReceiveQueue(SharedReceiveQueueConfig.of(16)))),
        MEMORY_WINDOW(ends -> ends.thenClosed(() -> ends.verbs.domain().memoryWindow(MemoryWindow.Type.TYPE_2))),
        ADDRESS_HANDLE(
                ends -> ends.thenClosed(() -> ends.verbs.domain().addressHandle(AddressHandleConfig.to(new byte[16])))),
        QUEUE_PAIR(ends -> ends.thenClosed(() -> ends.verbs.domain().queuePair(ends.config()))),
        MODIFY(ends ->
                () -> ends.datagramPair.modify(new QueuePairAttributes().set(Field.QKEY, (int) ends.next++ & 0xFFFF))),
        LISTEN(ends -> ends.thenClosed(() -> ends.verbs.connections().listen(ANY_PORT, ListenerConfig.defaults()))),
        CONNECT(ends -> () -> ends.last = ends.connect()),
        ACCEPT(ends -> {
            ends.before(() -> Stub.request(ends.listener.localAddress().getPort()));
            return () -> {
                try (ConnectionRequest request = ends.listener.accept(soon())) {
                    ends.last = request.accept(ends.config(), ConnectionConfig.defaults(), soon());
                }
            };
        }),
        REJECT(ends -> {
            ends.before(() -> Stub.request(ends.listener.localAddress().getPort()));
            return () -> {
                try (ConnectionRequest request = ends.listener.accept(soon())) {
                    request.reject(new byte[] {1});
                }
            };
        }),
        CONNECT_DATAGRAMS(ends -> ends.thenClosed(
                () -> ends.datagrams.connect(PEER, ends.datagramPair, ConnectionConfig.defaults(), soon()))),
        JOIN_MULTICAST(ends -> ends.thenClosed(
                () -> ends.datagrams.join(GROUP, ends.datagramPair, MulticastConfig.defaults(), soon()))),
        ATTACH_MULTICAST(ends -> () -> {
            byte[] gid = new byte[16];
            ends.datagramPair.attachMulticast(gid, 0);
            ends.attached = true;
            ends.datagramPair.detachMulticast(gid, 0);
            ends.attached = false;
        }),
        CLOSE(ends -> () -> ends.connection.close()),
        DISCONNECT(ends -> () -> ends.connection.disconnect(soon())),
        AWAIT_DISCONNECT(ends -> () -> ends.connection.awaitDisconnect(Deadline.in(100, MICROSECONDS)));

        private final Function<StubStackEnds, Runnable> made;

        Call(Function<StubStackEnds, Runnable> made) {
            this.made = made;
        }
    }

    private StubStackEnds() {}

    /** Prints a line for each call, or those named: its name, how often it was tried, how often the stack ended. */
    public static void main(String[] args) throws Exception {
        Stub.oblige(true);
        for (Call call : Call.values()) {
            if (args.length > 0 && !Arrays.asList(args).contains(call.name())) {
                continue;
            }
            try (StubStackEnds ends = new StubStackEnds()) {
                ends.through(call);
            }
            requireNothingLeft(call);
        }
    }

    private static InetAddress group() {
        try {
            return InetAddress.getByAddress(new byte[] {(byte) 239, 1, 2, 3});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Deadline soon() {
        return Deadline.in(5, SECONDS);
    }

    private QueuePairConfig config() {
        return QueuePairConfig.of(verbs.domain(), queue);
    }

    private IbvQueuePair datagramPair() {
        IbvQueuePair pair = verbs.queuePair(config().withType(QueuePairType.UD));
        pair.modify(QueuePairAttributes.to(QueuePairState.RTR));
        pair.modify(QueuePairAttributes.to(QueuePairState.RTS).set(Field.SQ_PSN, 0));
        return pair;
    }

    private QueuePair queuePair() {
        return connection.queuePair();
    }

    private Connection connect() {
        return connect(config());
    }

    private Connection connect(QueuePairConfig config) {
        return connect(verbs.domain().create(config));
    }

    private Connection connect(IbvQueuePair pair) {
        return verbs.connections().connect(PEER, pair, true, ConnectionConfig.defaults(), soon());
    }

    /** Has {@code action} of the device or the peer done before each call. */
    private void before(Runnable action) {
        peer = action;
        action.run();
    }

    private void through(Call call) throws Exception {
        Runnable run = call.made.apply(this);
        run.run();
        between();
        int tried = 0;
        int overflows = 0;
        for (int round = 0; round < ROUNDS; round++) {
            StackEnd.Outcome outcome = StackEnd.each(run, this::between);
            tried += outcome.tried();
            overflows += outcome.overflows();
        }
        System.out.println(call + " " + tried + " " + overflows);
        System.out.println(call + ": " + ended + " connections ended");
        run.run();
        between();
        requireNoGroups(call);
        requireAllExtended(call);
        requireSending(connection, queue, call);
        requireSending(beside, besideQueue, call);
        Connection fresh = connect();
        requireSending(fresh, queue, call);
        fresh.disconnect(soon());
        fresh.close();
        requireRest(call);
    }

    /** Everything for the next call; where its stack does not end. */
    private void between() {
        atOnce.run();
        if (!connection.isConnected()) {
            ended++;
            connection.close();
            connection = connect();
        }
        submitRest();
        takeAll();
        listener.poll(Deadline.now()).ifPresent(ConnectionRequest::close);
        close(last);
        if (attached) {
            datagramPair.detachMulticast(new byte[16], 0);
            attached = false;
        }
        if (queuePair().send(next++, buffer, 0, OCTETS, SIGNALED) != PostStatus.ACCEPTED) {
            throw new AssertionError(connection + " is connected and does not send");
        }
        takeAll();
        takeAllExtended();
        peer.run();
    }

    /** Ends the batch that a call may have left open: what it holds is posted. */
    private void submitRest() {
        Batch batch = queuePair().batch();
        do {
            int status = batch.submit();
            if (status < 0) {
                batch.discard(); // the connection has ended
            }
        } while (batch.pending() > 0);
    }

    /** Returns what makes and closes an object, which is noted by a store as soon as it is there. */
    private Runnable thenClosed(Supplier<? extends AutoCloseable> making) {
        return () -> {
            AutoCloseable made = making.get();
            last = made;
            close(made);
        };
    }

    private void takeAll() {
        for (int count = queue.poll(completions); count != 0; count = queue.poll(completions)) {
            take(completions, count);
        }
    }

    private void take(int count) {
        take(own, count);
    }

    /** Takes note of completions: each request completes once, in the order of their posts. */
    private void take(WorkCompletions from, int count) {
        for (int i = 0; i < count; i++) {
            long id = from.get(i).wrId();
            if (id <= lastCompleted) {
                throw new AssertionError("request " + id + " completes after " + lastCompleted);
            }
            lastCompleted = id;
        }
    }

    private void sendExtended() {
        extended.queuePair().send(next++, buffer, 0, OCTETS, SIGNALED);
    }

    /** Has the driver do what waits until no poll of the extended queue is under way. */
    private void waitForExtended() {
        if (next % 2 == 0) {
            extendedQueue.resize(16 + (int) (next % 16));
        } else {
            verbs.domain()
                    .queuePair(QueuePairConfig.of(verbs.domain(), extendedQueue))
                    .close();
        }
    }

    private void takeAllExtended() {
        for (int count = extendedQueue.poll(completions); count != 0; count = extendedQueue.poll(completions)) {
            takeExtended(completions, count);
        }
    }

    /** Takes note of completions of the extended queue: each comes once, in the order of the posts. */
    private void takeExtended(WorkCompletions from, int count) {
        for (int i = 0; i < count; i++) {
            long id = from.get(i).wrId();
            if (id <= lastExtended) {
                throw new AssertionError("request " + id + " completes after " + lastExtended);
            }
            lastExtended = id;
            extendedTaken++;
        }
    }

    private void requireAllExtended(Call call) {
        int completed = Stub.completed(extended.queuePair().number());
        if (extendedTaken != completed) {
            throw new AssertionError("of " + completed + " completions " + extendedTaken + " were taken after " + call);
        }
    }

    private static void requireNoGroups(Call call) {
        if (Stub.groups() != 0) {
            throw new AssertionError(Stub.groups() + " groups are left after " + call);
        }
    }

    private void requireSending(Connection which, CompletionQueue where, Call call) {
        long id = next++;
        int status = which.queuePair().send(id, buffer, 0, OCTETS, SIGNALED);
        int count = where.poll(completions);
        if (status != PostStatus.ACCEPTED || count != 1 || completions.get(0).wrId() != id) {
            throw new AssertionError(
                    which + " does not send any more after " + call + ": " + status + ", " + count + " completions");
        }
    }

    /** Waits until the threads of the provider have slept for a moment. */
    private static void requireRest(Call call) {
        Deadline deadline = soon();
        while (true) {
            long used = ProcessorTime.nanosOfThreads("verbs-");
            long end = System.nanoTime() + LOOK_NANOS;
            while (System.nanoTime() - end < 0) {
                Thread.yield();
            }
            if (ProcessorTime.nanosOfThreads("verbs-") - used < LOOK_NANOS / 4) {
                return;
            }
            if (deadline.passed()) {
                throw new AssertionError("a thread spins after " + call);
            }
        }
    }

    private static void requireNothingLeft(Call call) {
        Deadline deadline = soon();
        while (Stub.objects() != 0 || Stub.ids() != 0) {
            if (deadline.passed()) {
                throw new AssertionError(Stub.objects() + " objects and " + Stub.ids() + " ids are left after " + call);
            }
            Thread.yield();
        }
    }

    private static void close(AutoCloseable each) {
        try {
            each.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        many.forEach(Connection::close);
        connection.close();
        beside.close();
        extended.close();
        List.of(extendedQueue, listener, handle, window2, window1, shared, buffer, channelQueue, channel)
                .forEach(StubStackEnds::close);
        verbs.close();
    }
}
