package org.panamaverbs.bench.channels;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.bench.loopback.exchange.End;
import org.panamaverbs.bench.loopback.exchange.Side;
import org.panamaverbs.bench.loopback.exchange.SpinningEnd;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * By the same verbs without channels: each message is one Send, or one Write with immediate data, inline, of which one
 * in some is signaled. Bursts go in batches, and the peer says how many receives it has posted again.
 */
final class HandEnd extends SpinningEnd {
    private static final int RECEIVES = 512;
    private static final int SENDS = 256;
    private static final int SIGNALED_TRIPS = 16;
    /** Receives that are posted again before the peer hears of them. */
    private static final int REPORT = RECEIVES / 4;

    /** Behind the messages that come: where those that go are taken from. */
    private static final long FROM = (long) RECEIVES * Task.BYTES;

    private final boolean ring;
    private final int burst;
    private final Side side;
    private final QueuePair queuePair;
    private final Connection connection;
    private final RemoteBuffer remote;
    private final Batch batch;
    private final ReceiveList reposts = ReceiveList.ofCapacity(RECEIVES);

    private long posted;
    private long completed;
    /** Messages of the peer, and of those what it has been told. */
    private long taken;

    private long told;
    /** Messages that the peer has taken. */
    private long credit;

    private boolean asked;

    HandEnd(Task task, OpenConfig provider, int port) {
        pace(task.pace());
        ring = task.way().equals("RING");
        burst = task.burst();
        side = Side.open(provider, RECEIVES + SENDS, FROM + Task.BYTES);
        QueuePairConfig its = side.queuePairs(SENDS, RECEIVES).withInline(Task.BYTES);
        Deadline soon = Deadline.in(30, TimeUnit.SECONDS);
        ConnectionConfig ours = ConnectionConfig.defaults()
                .withPrivateData(side.buffer().remote().encode());
        if (port == 0) {
            try (Listener listener = side.listen()) {
                End.listening(listener.localAddress().getPort());
                ConnectionRequest request = listener.accept(soon);
                remote = RemoteBuffer.decode(request.privateData());
                connection = request.accept(its, ours, soon);
            }
        } else {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            connection = side.verbs().connect(address, its, ours, soon);
            remote = RemoteBuffer.decode(connection.privateData());
        }
        queuePair = connection.queuePair();
        batch = queuePair.batch();
        for (int i = 0; i < RECEIVES; i++) {
            side.receive(queuePair, i, (long) i * Task.BYTES, Task.BYTES);
        }
    }

    /** Sends one message of two words; its number, complemented, is its id. */
    private void post(SendQueue queue, boolean signaled) {
        int flags = signaled ? SendFlag.INLINE | SendFlag.SIGNALED : SendFlag.INLINE;
        long at = posted % RECEIVES * Task.BYTES;
        PostStatus.check(
                ring
                        ? queue.writeWithImmediate(~posted, side.buffer(), FROM, Task.BYTES, remote, at, 0, flags)
                        : queue.send(~posted, side.buffer(), FROM, Task.BYTES, flags));
        posted++;
    }

    private void say(long first) {
        side.buffer().segment().set(JAVA_LONG, FROM, first);
        side.buffer().segment().set(JAVA_LONG, FROM + Long.BYTES, taken);
    }

    /** Polls once, and posts what was taken again; returns whether anything has come. */
    private boolean take() {
        int count = side.poll();
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = side.completion(i);
            if (completion.wrId() < 0) {
                completed = ~completion.wrId() + 1;
                continue;
            }
            long at = taken++ % RECEIVES * Task.BYTES;
            asked |= side.buffer().segment().get(JAVA_LONG, at) == Task.ASKING;
            credit = side.buffer().segment().get(JAVA_LONG, at + Long.BYTES);
            reposts.add(completion.wrId(), side.buffer(), at, Task.BYTES);
        }
        if (reposts.count() > 0 && (burst == 1 || asked || reposts.count() >= REPORT / 2)) {
            int due = reposts.count();
            if (queuePair.recv(reposts) != due) {
                throw new IllegalStateException("receives were refused");
            }
            reposts.clear();
        }
        return count > 0;
    }

    @Override
    protected boolean answer(boolean polls) {
        boolean came = take();
        if (asked || taken - reposts.count() - told >= REPORT) {
            say(asked ? Task.ASKING : 0);
            post(queuePair, posted % SIGNALED_TRIPS == 0);
            told = taken - reposts.count();
            asked = false;
        }
        return came;
    }

    @Override
    protected void ask() {
        asked = false;
        say(0);
        for (int left = burst - 1; left > 0; ) {
            int count = Math.min(left, Task.BATCH);
            while (posted + count - credit > RECEIVES - REPORT || posted + count - completed > SENDS) {
                take();
            }
            for (int i = 0; i < count; i++) {
                post(batch, i == count - 1);
            }
            batch.submitAll();
            left -= count;
        }
        say(Task.ASKING);
        post(queuePair, posted % SIGNALED_TRIPS == 0);
    }

    @Override
    protected boolean hasCome(boolean polls) {
        take();
        return asked;
    }

    @Override
    public void close() {
        rest();
        connection.close();
        side.close();
    }
}
