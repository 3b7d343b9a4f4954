package org.panamaverbs.ibverbs.stub;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.ibverbs.stub.StubStackEnds.ANY_PORT;
import static org.panamaverbs.ibverbs.stub.StubStackEnds.GROUP;
import static org.panamaverbs.ibverbs.stub.StubStackEnds.MANY;
import static org.panamaverbs.ibverbs.stub.StubStackEnds.OCTETS;
import static org.panamaverbs.ibverbs.stub.StubStackEnds.PEER;
import static org.panamaverbs.ibverbs.stub.StubStackEnds.soon;

import java.util.function.Function;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionRequest;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ListenerConfig;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.MulticastConfig;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.WcField;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.ibverbs.completion.IbvCompletionChannel;
import org.panamaverbs.ibverbs.queuepair.IbvProtectionDomain;
import org.panamaverbs.memory.Access;

/** A call whose stack ends in it, at each depth, on what {@link StubStackEnds} has made. */
// Of functions that hold nothing; what became of a post is seen by what comes of it.
@SuppressWarnings({"ImmutableEnumChecker", "CheckReturnValue"})
enum StubCall {
    SEND(ends -> () -> ends.queuePair().send(ends.next++, ends.buffer, 0, OCTETS, SIGNALED)),
    WRITE(ends -> () -> ends.queuePair().write(ends.next++, ends.buffer, 0, 1000, ends.buffer.remote(), 0, SIGNALED)),
    READ(ends -> () -> ends.queuePair().read(ends.next++, ends.buffer, 0, OCTETS, ends.buffer.remote(), 0, SIGNALED)),
    INLINE(ends -> () -> ends.queuePair().sendInline(ends.next++, ends.buffer.segment(), 0, 64, SIGNALED)),
    ATOMIC(ends -> () -> ends.queuePair().fetchAdd(ends.next++, ends.buffer, 0, ends.buffer.remote(), 64, 1, SIGNALED)),
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
    DATAGRAM(ends -> () ->
            ends.datagramPair.postDatagram(SendOpcode.SEND, ends.next++, ends.piece, ends.handle, 1, 0, 0, SIGNALED)),
    RECV(ends -> () -> ends.queuePair().recv(1, ends.buffer, 0, OCTETS)),
    SHARED_RECV(ends -> () -> ends.shared.recv(1, ends.buffer, 0, OCTETS)),
    RECV_LIST(ends -> () -> ends.queuePair().recv(ends.list)),
    SHARED_RECV_LIST(ends -> () -> ends.shared.recv(ends.list)),
    POLL(ends -> () -> {
        ends.queuePair().send(ends.next++, ends.buffer, 0, OCTETS, SIGNALED);
        ends.taken.note(ends.own, ends.queue.poll(ends.own));
    }),
    POLL_OF_MANY(ends -> {
        for (int i = 0; i < MANY; i++) {
            ends.many.add(ends.connect());
        }
        return () -> {
            ends.many.get(MANY / 2).queuePair().send(ends.next++, ends.buffer, 0, OCTETS, SIGNALED);
            ends.taken.note(ends.own, ends.queue.poll(ends.own));
        };
    }),
    POLL_WAITING(ends -> () -> {
        ends.queuePair().send(ends.next++, ends.buffer, 0, OCTETS, SIGNALED);
        ends.taken.note(ends.own, ends.queue.poll(ends.own, Deadline.in(100, MICROSECONDS)));
    }),
    POLL_OF_TWO(ends -> {
        ends.atOnce = () -> ends.waitForPolls(ends.besideQueue);
        return () -> {
            ends.sendBeside();
            ends.sendBeside();
            ends.besideTaken.note(ends.single, ends.besideQueue.poll(ends.single));
        };
    }),
    POLL_EXTENDED(ends -> () -> {
        ends.sendExtended();
        ends.extendedTaken.note(ends.own, ends.extendedQueue.poll(ends.own));
    }),
    POLL_EXTENDED_OF_TWO(ends -> {
        ends.atOnce = () -> ends.waitForPolls(ends.extendedQueue);
        return () -> {
            ends.sendExtended();
            ends.sendExtended();
            ends.extendedTaken.note(ends.single, ends.extendedQueue.poll(ends.single));
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
    JOIN_MULTICAST(ends ->
            ends.thenClosed(() -> ends.datagrams.join(GROUP, ends.datagramPair, MulticastConfig.defaults(), soon()))),
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

    private final Function<StubStackEnds, Runnable> making;

    StubCall(Function<StubStackEnds, Runnable> making) {
        this.making = making;
    }

    /** Returns the call, with what it needs made on {@code ends}. */
    Runnable made(StubStackEnds ends) {
        return making.apply(ends);
    }
}
