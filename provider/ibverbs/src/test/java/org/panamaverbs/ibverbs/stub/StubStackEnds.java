package org.panamaverbs.ibverbs.stub;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
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
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.WcField;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.ibverbs.completion.IbvCompletionChannel;
import org.panamaverbs.ibverbs.datagram.IbvDatagrams;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.faults.StackEndProgram;
import org.panamaverbs.testkit.process.ProcessorTime;

/**
 * Calls whose stack ends in them, at each depth, on queue pairs that are connected: what has ended is connected anew
 * before the next call. No gate stays held and no lock locked, no request is posted twice, the same call goes on, other
 * connections go on, new ones can be made, no thread spins, everything can be closed, and nothing native is left. A
 * program, since what stays held would keep JUnit's JVM for ever.
 */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
public final class StubStackEnds implements AutoCloseable {
    static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7174);
    static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    static final InetAddress GROUP = group();
    static final int MANY = 20;
    static final int OCTETS = 100;

    final StubVerbs verbs = new StubVerbs(EnumSet.of(
            Feature.MEMORY_WINDOW_TYPE_1,
            Feature.MEMORY_WINDOW_TYPE_2,
            Feature.LOCAL_INVALIDATE,
            Feature.SHARED_RECEIVE_QUEUE,
            Feature.ATOMICS,
            Feature.CQ_RESIZE,
            Feature.EXTENDED_CQ,
            Feature.MULTICAST));
    final CompletionQueue queue = verbs.queue(4096);
    final RegisteredBuffer buffer = verbs.domain()
            .allocate(
                    4096,
                    Access.LOCAL_WRITE,
                    Access.REMOTE_READ,
                    Access.REMOTE_WRITE,
                    Access.REMOTE_ATOMIC,
                    Access.MEMORY_WINDOW_BIND);
    final SharedReceiveQueue shared = verbs.domain().sharedReceiveQueue(SharedReceiveQueueConfig.of(16));
    final MemoryWindow window1 = verbs.domain().memoryWindow(MemoryWindow.Type.TYPE_1);
    final MemoryWindow window2 = verbs.domain().memoryWindow(MemoryWindow.Type.TYPE_2);
    final CompletionChannel channel = IbvCompletionChannel.create(verbs.context());
    final CompletionQueue channelQueue = CompletionQueueMaker.make(
            verbs.context(), CompletionQueueConfig.of(16).withChannel(channel));
    final AddressHandle handle = verbs.domain().addressHandle(AddressHandleConfig.to(new byte[16]));
    final IbvDatagrams datagrams = new IbvDatagrams(verbs.cm());
    final IbvQueuePair datagramPair = datagramPair();
    final Listener listener = verbs.connections().listen(ANY_PORT, ListenerConfig.defaults());
    final CompletionQueue besideQueue = verbs.queue(16);
    private final Connection beside = connect(QueuePairConfig.of(verbs.domain(), besideQueue));
    final CompletionQueue extendedQueue = CompletionQueueMaker.make(
            verbs.context(), CompletionQueueConfig.of(16).withFields(WcField.BYTE_COUNT));
    private final Connection extended = connect(QueuePairConfig.of(verbs.domain(), extendedQueue));
    final List<Connection> many = new ArrayList<>();
    final SgList piece = SgList.ofCapacity(1).add(buffer, 0, OCTETS);
    final ReceiveList list = ReceiveList.ofCapacity(2).add(1, buffer, 0, OCTETS).add(1, buffer, 0, OCTETS);
    private final WorkCompletions completions = WorkCompletions.ofCapacity(16);
    final WorkCompletions own = WorkCompletions.ofCapacity(16);
    final WorkCompletions single = WorkCompletions.ofCapacity(1);
    // Made anew between calls, where it has ended.
    volatile Connection connection = connect();
    // The next request's id, each used once. As all below the calling thread's, which sees to happens-before.
    long next = 1;
    final CompletionLedger taken = new CompletionLedger();
    final CompletionLedger besideTaken = new CompletionLedger();
    final CompletionLedger extendedTaken = new CompletionLedger();
    private int ended;
    private Runnable peer = () -> {};
    Runnable atOnce = () -> {};
    // What was made last, and whether a group is attached: noted by stores, which need no stack.
    AutoCloseable last = () -> {};
    boolean attached;

    private StubStackEnds() {}

    /** Prints a line for each call, or those named: its name, how often it was tried, how often the stack ended. */
    public static void main(String[] args) throws Exception {
        Stub.oblige(true);
        for (StubCall call : StubCall.values()) {
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

    static Deadline soon() {
        return Deadline.in(5, SECONDS);
    }

    QueuePairConfig config() {
        return QueuePairConfig.of(verbs.domain(), queue);
    }

    IbvQueuePair datagramPair() {
        IbvQueuePair pair = verbs.queuePair(config().withType(QueuePairType.UD));
        pair.modify(QueuePairAttributes.to(QueuePairState.RTR));
        pair.modify(QueuePairAttributes.to(QueuePairState.RTS).set(Field.SQ_PSN, 0));
        return pair;
    }

    QueuePair queuePair() {
        return connection.queuePair();
    }

    Connection connect() {
        return connect(config());
    }

    Connection connect(QueuePairConfig config) {
        return connect(verbs.domain().create(config));
    }

    Connection connect(IbvQueuePair pair) {
        return verbs.connections().connect(PEER, pair, true, ConnectionConfig.defaults(), soon());
    }

    /** Has {@code action} of the device or the peer done before each call. */
    void before(Runnable action) {
        peer = action;
        action.run();
    }

    private void through(StubCall call) throws Exception {
        Runnable run = call.made(this);
        run.run();
        between();
        StackEndProgram.through(call.name(), run, this::between);
        System.out.println(call + ": " + ended + " connections ended");
        run.run();
        between();
        requireNoGroups(call);
        requireAll(beside, besideTaken, call);
        requireAll(extended, extendedTaken, call);
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
        takeAll(besideQueue, besideTaken);
        takeAll(extendedQueue, extendedTaken);
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
    Runnable thenClosed(Supplier<? extends AutoCloseable> making) {
        return () -> {
            AutoCloseable made = making.get();
            last = made;
            close(made);
        };
    }

    private void takeAll() {
        takeAll(queue, taken);
    }

    private void takeAll(CompletionQueue from, CompletionLedger ledger) {
        for (int count = from.poll(completions); count != 0; count = from.poll(completions)) {
            ledger.note(completions, count);
        }
    }

    void sendBeside() {
        beside.queuePair().send(next++, buffer, 0, OCTETS, SIGNALED);
    }

    void sendExtended() {
        extended.queuePair().send(next++, buffer, 0, OCTETS, SIGNALED);
    }

    /** Has the driver do what waits until no poll of {@code its} is under way. */
    void waitForPolls(CompletionQueue its) {
        if (next % 2 == 0) {
            its.resize(16 + (int) (next % 16));
        } else {
            verbs.domain().queuePair(QueuePairConfig.of(verbs.domain(), its)).close();
        }
    }

    private static void requireAll(Connection which, CompletionLedger ledger, StubCall call) {
        int completed = Stub.completed(which.queuePair().number());
        if (ledger.count() != completed) {
            throw new AssertionError("of " + completed + " completions of " + which + " " + ledger.count()
                    + " were taken after " + call);
        }
    }

    private static void requireNoGroups(StubCall call) {
        if (Stub.groups() != 0) {
            throw new AssertionError(Stub.groups() + " groups are left after " + call);
        }
    }

    private void requireSending(Connection which, CompletionQueue where, StubCall call) {
        long id = next++;
        int status = which.queuePair().send(id, buffer, 0, OCTETS, SIGNALED);
        int count = where.poll(completions);
        if (status != PostStatus.ACCEPTED || count != 1 || completions.get(0).wrId() != id) {
            throw new AssertionError(
                    which + " does not send any more after " + call + ": " + status + ", " + count + " completions");
        }
    }

    private static void requireRest(StubCall call) {
        if (!ProcessorTime.awaitRest("verbs-", soon())) {
            throw new AssertionError("a thread spins after " + call);
        }
    }

    private static void requireNothingLeft(StubCall call) {
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
