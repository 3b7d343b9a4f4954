package org.panamaverbs.cli.rping;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.FailedWork;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.memory.Resources;

/**
 * What both sides of rping have: a queue pair with one receive posted, a buffer that the peer reads or writes, and the
 * waits. Used by one thread.
 */
final class RpingPeer implements AutoCloseable {
    private static final long SEND = 1;
    private static final long RECEIVE = 2;
    private static final long TRANSFER = 3;

    private static final int SEND_DEPTH = 16;
    private static final int RECEIVE_DEPTH = 2;
    private static final Duration SPIN = Duration.of(100, ChronoUnit.MICROS);

    private final Duration timeout;
    private final Resources resources = new Resources();
    private final Deque<RpingInfo> received = new ArrayDeque<>();
    private final WorkCompletions completions = WorkCompletions.ofCapacity(16);
    private final ProtectionDomain domain;
    private final CompletionWait wait;
    private final QueuePair queuePair;
    private final RegisteredBuffer sendBuffer;
    private final RegisteredBuffer receiveBuffer;
    private @Nullable Connection connection;
    private boolean sent;
    private boolean transferred;
    private boolean closedByPeer;

    /** Makes the queue pair and posts its receive, so that nothing the peer sends can come too early. */
    RpingPeer(Verbs verbs, Duration timeout) {
        this.timeout = timeout;
        boolean complete = false;
        try {
            domain = resources.add(verbs.protectionDomain());
            CompletionChannel channel = resources.add(verbs.completionChannel());
            CompletionQueue queue = resources.add(verbs.completionQueue(
                    CompletionQueueConfig.of(2 * SEND_DEPTH).withChannel(channel)));
            wait = CompletionWait.of(queue, channel, SPIN);
            sendBuffer = resources.add(domain.allocate(RpingInfo.BYTES, Access.LOCAL_WRITE));
            receiveBuffer = resources.add(domain.allocate(RpingInfo.BYTES, Access.LOCAL_WRITE));
            queuePair = resources.add(domain.queuePair(QueuePairConfig.of(domain, queue)
                    .withDepth(SEND_DEPTH, RECEIVE_DEPTH)
                    .withSge(1, 1)
                    .withInline(0)
                    .withAccess(Access.REMOTE_READ, Access.REMOTE_WRITE)));
            postReceive();
            complete = true;
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    /** Returns the queue pair, to connect it. */
    QueuePair queuePair() {
        return queuePair;
    }

    /** Takes over the connection of the queue pair. */
    void connected(Connection established) {
        connection = resources.add(established);
    }

    /** Returns a buffer that the peer may read and write; it is closed with this. */
    RegisteredBuffer allocate(int size) {
        return resources.add(domain.allocate(size, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE));
    }

    void send(RpingInfo info) {
        info.encode(sendBuffer.segment());
        sent = false;
        PostStatus.check(queuePair.send(SEND, sendBuffer, 0, RpingInfo.BYTES, SIGNALED));
        await(() -> sent, "the peer to take a message");
    }

    /** Sends an advertisement of the first {@code size} bytes of {@code buffer}. */
    void advertise(RegisteredBuffer buffer, int size) {
        send(new RpingInfo(buffer.iova(), buffer.rkey(), size));
    }

    /**
     * Waits for the next message of the peer.
     *
     * @throws PeerClosedException if the peer closed the connection instead
     */
    RpingInfo receive(String what) {
        await(() -> !received.isEmpty(), what);
        return received.remove();
    }

    void read(RegisteredBuffer sink, RpingInfo info) {
        RemoteBuffer source = remote(info, Access.REMOTE_READ);
        transferred = false;
        PostStatus.check(queuePair.read(TRANSFER, sink, 0, source.length(), source, 0, SIGNALED));
        await(() -> transferred, "the data of an RDMA Read");
    }

    /** Writes the first {@code length} bytes of {@code source} to {@code info}'s buffer. */
    void write(RegisteredBuffer source, long length, RpingInfo info) {
        transferred = false;
        PostStatus.check(queuePair.write(TRANSFER, source, 0, length, remote(info, Access.REMOTE_WRITE), 0, SIGNALED));
        await(() -> transferred, "an RDMA Write to complete");
    }

    void disconnect() {
        if (connection != null) {
            connection.disconnect(Deadline.in(timeout));
        }
    }

    /** Closes everything in the reverse order of its making. */
    @Override
    public void close() {
        resources.close((resource, failure) -> new CommandFailure("cannot close: " + failure.getMessage(), failure));
    }

    private static RemoteBuffer remote(RpingInfo info, Access right) {
        return RemoteBuffer.of(info.stag(), info.taggedOffset(), Integer.toUnsignedLong(info.size()), right.bit());
    }

    private void postReceive() {
        PostStatus.check(queuePair.recv(RECEIVE, receiveBuffer));
    }

    /** Takes completions until {@code done}; when the peer has closed, what is waited for never comes. */
    private void await(BooleanSupplier done, String what) {
        Deadline deadline = Deadline.in(timeout);
        while (!done.getAsBoolean()) {
            if (closedByPeer) {
                throw new PeerClosedException("the peer closed the connection, waiting for " + what);
            }
            int count;
            try {
                count = wait.await(completions, deadline);
            } catch (DeadlineExceededException e) {
                throw new DeadlineExceededException(
                        "rping", "waited " + timeout.toSeconds() + " s (--timeout) for " + what);
            }
            for (int i = 0; i < count; i++) {
                complete(completions.get(i));
            }
        }
    }

    private void complete(WorkCompletion completion) {
        if (!completion.ok()) {
            // What completed before may be all that is waited for: whoever waits for more finds out.
            closedByPeer = isFlush(completion);
            if (!closedByPeer) {
                throw failed(completion);
            }
        } else if (completion.wrId() == SEND) {
            sent = true;
        } else if (completion.wrId() == TRANSFER) {
            transferred = true;
        } else {
            if (completion.byteCount() != RpingInfo.BYTES) {
                throw new CommandFailure(
                        "the peer sent a message of " + completion.byteCount() + " bytes, expected " + RpingInfo.BYTES);
            }
            received.add(RpingInfo.decode(receiveBuffer.segment()));
            postReceive();
        }
    }

    private boolean isFlush(WorkCompletion completion) {
        return completion.status() == WcStatus.WR_FLUSH_ERROR
                && queuePair.terminateCause().isEmpty();
    }

    private StreamFailedException failed(WorkCompletion completion) {
        String work = completion.wrId() == SEND ? "Send" : completion.wrId() == RECEIVE ? "receive" : "RDMA transfer";
        return new StreamFailedException(work + ": " + FailedWork.explain(completion, queuePair));
    }

    /** A work request failed, and the connection with it. */
    static final class StreamFailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StreamFailedException(String message) {
            super(message);
        }
    }

    /** The peer closed the connection without an error. */
    static final class PeerClosedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        PeerClosedException(String message) {
            super(message);
        }
    }
}
