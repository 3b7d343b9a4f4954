package org.panamaverbs.iwarp.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.TerminateCause;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.core.CompletionSink;
import org.panamaverbs.iwarp.core.Fault;
import org.panamaverbs.iwarp.core.Negotiated;
import org.panamaverbs.iwarp.core.ReceiveRing;
import org.panamaverbs.iwarp.core.Stream;
import org.panamaverbs.iwarp.core.StreamConfig;
import org.panamaverbs.iwarp.core.StreamEvent;
import org.panamaverbs.iwarp.core.StreamState;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RegisteredBuffer;

/** A queue pair: one stream, its driver, and the queues it completes to. */
final class IwarpQueuePair extends ManagedResource implements QueuePair {
    private final IwarpVerbs verbs;
    private final IwarpProtectionDomain domain;
    private final IwarpCompletionQueue sendQueue;
    private final IwarpCompletionQueue receiveQueue;
    private final int number;
    private final QueuePairConfig config;
    private final Stream stream;
    private final StreamDriver driver;
    private final SendPoster poster;
    private final IwarpBatch batch;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile @Nullable Runnable beforeClose;
    // Guarded by the driver's lock.
    private boolean muted;

    IwarpQueuePair(
            IwarpVerbs verbs,
            IwarpProtectionDomain domain,
            IwarpCompletionQueue sendQueue,
            IwarpCompletionQueue receiveQueue,
            @Nullable IwarpSharedReceiveQueue shared,
            int number,
            QueuePairConfig config) {
        super("queue pair " + number, parents(domain, sendQueue, receiveQueue, shared));
        this.verbs = verbs;
        this.domain = domain;
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
        this.number = number;
        this.config = config;
        ReceiveRing own = shared == null ? new ReceiveRing(config.maxRecvWr(), config.maxRecvSge()) : null;
        int receivePieces =
                shared == null ? config.maxRecvSge() : shared.config().maxSge();
        StreamConfig streamConfig = new StreamConfig(
                number,
                domain.number(),
                config.maxSendWr(),
                config.maxSendSge(),
                receivePieces,
                config.maxInlineBytes(),
                config.signalAll(),
                verbs.options().lingerNanos(),
                verbs.options().nudge());
        stream = new Stream(
                streamConfig,
                verbs.stags(),
                verbs.buffers(),
                new Sink(sendQueue),
                new Sink(receiveQueue),
                shared == null ? Objects.requireNonNull(own) : shared.sourceFor(number),
                own,
                this::onEvent);
        driver = new StreamDriver(
                verbs.loop(), stream, () -> sendQueue.hasFailed() || receiveQueue.hasFailed(), verbs.sweep());
        poster = new SendPoster(this, driver, stream);
        batch = new IwarpBatch(this, driver, stream);
        sendQueue.attach(driver);
        receiveQueue.attach(driver);
    }

    private static ManagedResource[] parents(
            IwarpProtectionDomain domain,
            IwarpCompletionQueue send,
            IwarpCompletionQueue receive,
            @Nullable IwarpSharedReceiveQueue shared) {
        return shared == null
                ? new ManagedResource[] {domain, send, receive}
                : new ManagedResource[] {domain, send, receive, shared};
    }

    /** Passes completions on, until the queue pair is closed: then nobody waits for them any more. */
    private final class Sink implements CompletionSink {
        private final IwarpCompletionQueue queue;

        Sink(IwarpCompletionQueue queue) {
            this.queue = queue;
        }

        @Override
        public boolean complete(
                long wrId,
                WcStatus status,
                WcOpcode opcode,
                int qpNumber,
                long byteCount,
                int flags,
                long immediateOrStag,
                int vendorError) {
            return muted
                    || queue.complete(wrId, status, opcode, qpNumber, byteCount, flags, immediateOrStag, vendorError);
        }
    }

    private void onEvent(StreamEvent event, @Nullable Fault fault) {
        AsyncEvent.Type type = switch (event) {
            case COMMUNICATION_ESTABLISHED -> AsyncEvent.Type.COMMUNICATION_ESTABLISHED;
            case ACCESS_ERROR -> AsyncEvent.Type.QP_ACCESS_ERROR;
            case REQUEST_ERROR -> AsyncEvent.Type.QP_REQUEST_ERROR;
            case FATAL -> AsyncEvent.Type.QP_FATAL;
            case LAST_WQE_REACHED -> AsyncEvent.Type.QP_LAST_WQE_REACHED;
            // Seen by Connection.awaitDisconnect.
            case DISCONNECTED -> null;
        };
        if (type != null && !muted) {
            String detail = fault == null ? resourceName() : resourceName() + ": " + fault.cause();
            verbs.events().raise(type, this, detail, fault == null ? null : fault.cause());
        }
    }

    /** Has {@code action} run when it is closed, null for none; returns false if it is closed already. */
    boolean beforeClose(@Nullable Runnable action) {
        beforeClose = action;
        return isOpen();
    }

    /**
     * Takes it for a connection.
     *
     * @throws IllegalStateException if it is closed, or not in state INIT, or taken by another
     */
    void claim(String operation) {
        requireOpen();
        if (!claimed.compareAndSet(false, true) || state() != QueuePairState.INIT) {
            throw new IllegalStateException(operation + " needs a queue pair in state INIT that nobody connects: "
                    + resourceName() + " is in state " + state());
        }
    }

    IwarpProtectionDomain domain() {
        return domain;
    }

    IwarpVerbs verbs() {
        return verbs;
    }

    StreamDriver driver() {
        return driver;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairConfig config() {
        return config;
    }

    @Override
    public QueuePairState state() {
        StreamState state = driver.state();
        if (state == StreamState.IDLE) {
            return QueuePairState.INIT;
        }
        return state.operational() ? QueuePairState.RTS : QueuePairState.ERROR;
    }

    @Override
    public Batch batch() {
        return batch;
    }

    @Override
    public void modify(QueuePairAttributes attributes) {
        requireOpen();
        for (QueuePairAttributes.Field field : QueuePairAttributes.Field.values()) {
            if (attributes.get(field).isPresent()) {
                throw byHand("attribute " + field);
            }
        }
        if (attributes.address().isPresent()) {
            throw byHand("a path");
        }
        QueuePairState target = attributes.state().orElse(state());
        if (target == QueuePairState.ERROR) {
            driver.abort();
        } else if (target != state()) {
            throw byHand("state " + target);
        }
    }

    private static UnsupportedOperationException byHand(String what) {
        return new UnsupportedOperationException("device " + Device.NAME + " cannot set " + what
                + " of a queue pair by hand: connect does; only state ERROR can be set (a provider with it: ibverbs)");
    }

    @Override
    public QueuePairAttributes query() {
        requireOpen();
        QueuePairAttributes found = QueuePairAttributes.to(state());
        Negotiated agreed = driver.agreed();
        if (agreed != null) {
            found.set(QueuePairAttributes.Field.MAX_RD_ATOMIC, agreed.ord());
            found.set(QueuePairAttributes.Field.MAX_DEST_RD_ATOMIC, agreed.ird());
        }
        return found;
    }

    @Override
    public Optional<TerminateCause> terminateCause() {
        driver.lock();
        try {
            return Optional.ofNullable(stream.terminateCause());
        } finally {
            driver.unlock();
        }
    }

    @Override
    public int post(
            SendOpcode operation,
            long wrId,
            long address,
            long length,
            int lkey,
            long remoteAddress,
            int rkey,
            long immediate,
            int flags) {
        return poster.post(operation, wrId, address, length, lkey, remoteAddress, rkey, immediate, flags);
    }

    @Override
    public int post(
            SendOpcode operation, long wrId, SgList local, long remoteAddress, int rkey, long immediate, int flags) {
        return poster.post(operation, wrId, local, remoteAddress, rkey, immediate, flags);
    }

    @Override
    public int postInline(
            SendOpcode operation,
            long wrId,
            MemorySegment data,
            long offset,
            long length,
            long remoteAddress,
            int rkey,
            long immediate,
            int flags) {
        return poster.postInline(operation, wrId, data, offset, length, remoteAddress, rkey, immediate, flags);
    }

    @Override
    public int postAtomic(
            SendOpcode operation,
            long wrId,
            long address,
            int lkey,
            long remoteAddress,
            int rkey,
            long compareOrAdd,
            long swap,
            long compareOrFieldMask,
            long swapMask,
            int flags) {
        return poster.postAtomic(
                operation,
                wrId,
                address,
                lkey,
                remoteAddress,
                rkey,
                compareOrAdd,
                swap,
                compareOrFieldMask,
                swapMask,
                flags);
    }

    @Override
    public int postBind(
            long wrId, MemoryWindow window, RegisteredBuffer buffer, long offset, long length, int access, int flags) {
        return poster.postBind(wrId, window, buffer, offset, length, access, flags);
    }

    @Override
    public int postLocalInvalidate(long wrId, int stag, int flags) {
        return poster.postLocalInvalidate(wrId, stag, flags);
    }

    @Override
    public int postRecv(long wrId, long address, long length, int lkey) {
        requireOwnReceives();
        driver.lock();
        try {
            return stream.receives().post(wrId, address, length, lkey);
        } finally {
            driver.unlock();
        }
    }

    @Override
    public int postRecv(long wrId, SgList list) {
        requireOwnReceives();
        driver.lock();
        try {
            return stream.receives().post(wrId, list);
        } finally {
            driver.unlock();
        }
    }

    private void requireOwnReceives() {
        requireOpen();
        if (config.shared() != null) {
            throw new IllegalStateException(resourceName() + " uses a shared receive queue: post its receives there");
        }
    }

    @Override
    protected void release() {
        driver.lock();
        try {
            muted = true;
        } finally {
            driver.unlock();
        }
        Runnable before = beforeClose;
        if (before != null) {
            before.run();
        }
        driver.abort();
        verbs.patrol().forget(driver);
        sendQueue.detach(driver, number);
        receiveQueue.detach(driver, number);
        verbs.events().forget(this);
        verbs.queuePairs().giveBack();
    }
}
