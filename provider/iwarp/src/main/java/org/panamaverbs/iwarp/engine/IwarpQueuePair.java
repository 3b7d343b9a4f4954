package org.panamaverbs.iwarp.engine;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.iwarp.core.Fault;
import org.panamaverbs.iwarp.core.ReceiveRing;
import org.panamaverbs.iwarp.core.Stream;
import org.panamaverbs.iwarp.core.StreamConfig;
import org.panamaverbs.iwarp.core.StreamEvent;
import org.panamaverbs.iwarp.core.StreamListener;
import org.panamaverbs.iwarp.core.StreamQueues;
import org.panamaverbs.iwarp.core.StreamState;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.engine.device.AsyncEvents;
import org.panamaverbs.iwarp.engine.device.Context;
import org.panamaverbs.iwarp.engine.device.Device;
import org.panamaverbs.iwarp.engine.device.IwarpOption;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Ours;
import org.panamaverbs.spi.watch.QueuePairWatch;

/** A queue pair: one stream, its driver, and the queues it completes to. */
public final class IwarpQueuePair extends ManagedResource implements QueuePair, SendPoster {
    private final Streams streams;
    private final IwarpCompletionQueue sendQueue;
    private final IwarpCompletionQueue receiveQueue;
    private final int number;
    private final QueuePairConfig config;
    private final QueueSink sent;
    private final QueueSink received;
    private final Stream stream;
    private final StreamDriver driver;
    private final PostTarget target;
    private final IwarpBatch batch;
    private final QueuePairWatch watch;
    private final AtomicBoolean claimed;
    private volatile @Nullable Runnable beforeClose;

    IwarpQueuePair(
            Streams streams,
            ManagedResource domain,
            int domainNumber,
            QueuePairQueues queues,
            int number,
            QueuePairConfig config) {
        super("queue pair " + number, queues.parents(domain));
        this.streams = streams;
        sendQueue = queues.send();
        receiveQueue = queues.receive();
        this.number = number;
        this.config = config;
        try {
            claimed = new AtomicBoolean();
            Context context = streams.context();
            IwarpSharedReceiveQueue shared = queues.shared();
            ReceiveRing own = shared == null ? new ReceiveRing(config.maxRecvWr(), config.maxRecvSge()) : null;
            int receivePieces =
                    shared == null ? config.maxRecvSge() : shared.config().maxSge();
            StreamConfig streamConfig = StreamConfig.builder()
                    .qpNumber(number)
                    .domainId(domainNumber)
                    .peerRights(Access.mask(config.access()))
                    .maxSendWr(config.maxSendWr())
                    .maxSendSge(config.maxSendSge())
                    .maxRecvSge(receivePieces)
                    .maxInlineBytes(config.maxInlineBytes())
                    .signalAll(config.signalAll())
                    .lingerNanos(context.options().get(IwarpOption.LINGER))
                    .probe(context.options().get(IwarpOption.PROBE))
                    .firstFpduNanos(context.options().get(IwarpOption.FIRST_FPDU_TIMEOUT))
                    .prediction(context.options().get(IwarpOption.PREDICTION))
                    .build();
            watch = context.watch().queuePair(number, this);
            sent = new QueueSink(queues.send());
            received = new QueueSink(queues.receive());
            stream = new Stream(
                    streamConfig,
                    context.stags(),
                    context.buffers(),
                    shared == null
                            ? StreamQueues.withOwn(sent, received, Objects.requireNonNull(own))
                            : StreamQueues.withSrq(sent, received, shared.sourceFor(number)),
                    new Listener(context.events(), watch));
            driver = streams.driver(stream, anyFailed(queues.send(), queues.receive()));
            target = new PostTarget(this, domain, driver, stream, true);
            batch = new IwarpBatch(this, domain, driver, stream);
            context.watch().add(watch); // before the queues know it: they would keep what is abandoned
            attach();
        } catch (RuntimeException | Error e) {
            abandon();
            throw e;
        }
    }

    private void attach() {
        sendQueue.attach(driver, number, config.attachment());
        try {
            receiveQueue.attach(driver, number, config.attachment());
        } catch (RuntimeException | Error e) {
            sendQueue.detach(driver, number);
            throw e;
        }
    }

    // What the stream knows does not keep the queue pair: its driver, which the queues and the event loop have, would.

    private static BooleanSupplier anyFailed(IwarpCompletionQueue send, IwarpCompletionQueue receive) {
        return () -> send.hasFailed() || receive.hasFailed();
    }

    /** Raises what happens to the stream as events of the queue pair, as long as somebody has that. */
    private record Listener(AsyncEvents events, QueuePairWatch watch) implements StreamListener {
        @Override
        public void event(StreamEvent event, @Nullable Fault fault) {
            if (event == StreamEvent.DISCONNECTED) {
                watch.ended();
            } else if (fault != null) {
                watch.failed(fault.cause());
            }
            if (watch.queuePair() instanceof IwarpQueuePair its && !its.sent.muted) {
                events.raise(event, its, watch.where(), fault);
            }
        }
    }

    /** Has {@code action} run when it is closed, null for none; returns false if it is closed already. */
    public boolean beforeClose(@Nullable Runnable action) {
        beforeClose = action;
        return isOpen();
    }

    /**
     * Takes the queue pair for a connection.
     *
     * @throws IllegalStateException if it is closed, or not in state INIT, or taken by another
     */
    public void claim(String operation) {
        requireOpen();
        if (!claimed.compareAndSet(false, true) || state() != QueuePairState.INIT) {
            throw new IllegalStateException(operation + " needs a queue pair in state INIT that is not being"
                    + " connected: "
                    + resourceName() + " is in state " + state());
        }
    }

    /** Returns {@code queuePair} as one of {@code context}. */
    public static IwarpQueuePair own(QueuePair queuePair, Context context) {
        return Ours.of(
                "queue pair",
                queuePair,
                IwarpQueuePair.class,
                its -> its.streams.context().owner(),
                context.owner());
    }

    /**
     * Closes the queue pair for who has it to itself and ends, or made it in vain; should that fail, its domain does
     * before it closes.
     */
    public void closeWithOwner() {
        closeOrLeave();
    }

    public StreamDriver driver() {
        return driver;
    }

    /** Returns what those who watch it are told by. */
    public QueuePairWatch watch() {
        return watch;
    }

    @Override
    public QueuePairStatistics statistics() {
        QueuePairStatistics.Builder statistics = QueuePairStatistics.builder(number);
        statistics.connection(
                isOpen() ? verbsState(driver.lastState()).name() : "CLOSED",
                watch.peer(),
                watch.carrier(),
                transport(watch.transport()));
        driver.fill(statistics);
        return statistics.build();
    }

    /** Returns {@code text}, which says what carries the connection, with what went beside that so far. */
    public String transport(String text) {
        return text + stream.counts().directText();
    }

    /** Aborts the connection, if there is one, as this side wants it. */
    public void abort() {
        watch.endsHere(driver.state() == StreamState.ESTABLISHED);
        driver.abort();
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
        return verbsState(driver.state());
    }

    private static QueuePairState verbsState(StreamState state) {
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
    public PostTarget target() {
        return target;
    }

    @Override
    public void modify(QueuePairAttributes attributes) {
        requireOpen();
        for (QueuePairAttributes.Field field : QueuePairAttributes.Field.values()) {
            if (attributes.get(field).isPresent()) {
                throw outOfBand("attribute " + field);
            }
        }
        if (attributes.address().isPresent() || attributes.alternatePath().isPresent()) {
            throw outOfBand("a path");
        }
        QueuePairState target = attributes.state().orElse(state());
        if (target == QueuePairState.ERROR) {
            abort();
        } else if (target != state()) {
            throw outOfBand("state " + target);
        }
    }

    private static UnsupportedOperationException outOfBand(String what) {
        return new UnsupportedOperationException("device " + Device.NAME + " cannot set " + what
                + " of a queue pair: it supports state ERROR only; remedy: connect the queue pair with connect, or use"
                + " provider ibverbs");
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
        driver.lock.lock();
        try {
            return Optional.ofNullable(stream.terminateCause());
        } finally {
            driver.lock.unlock();
        }
    }

    @Override
    public int postRecv(long wrId, long address, long length, int lkey) {
        requireOwnReceives();
        driver.lock.lock();
        try {
            return stream.receives().post(wrId, address, length, lkey);
        } finally {
            driver.lock.unlock();
        }
    }

    @Override
    public int postRecv(long wrId, SgList list) {
        requireOwnReceives();
        driver.lock.lock();
        try {
            return stream.receives().post(wrId, list);
        } finally {
            driver.lock.unlock();
        }
    }

    @Override
    public int postRecv(ReceiveList list, int first, int count) {
        requireOwnReceives();
        Objects.checkFromIndexSize(first, count, list.count());
        driver.lock.lock();
        try {
            return stream.receives().post(list, first, count);
        } finally {
            driver.lock.unlock();
        }
    }

    private void requireOwnReceives() {
        requireOpen();
        if (config.srq() != null) {
            throw sharesReceives();
        }
    }

    private IllegalStateException sharesReceives() {
        return new IllegalStateException(
                resourceName() + " uses a shared receive queue; remedy: post its receives there");
    }

    // All steps run, whatever one of them runs into.
    @Override
    protected void release() {
        try {
            mute();
        } finally {
            try {
                abort();
            } finally {
                letGo();
            }
        }
    }

    private void mute() {
        driver.lock.lock();
        try {
            sent.muted = true;
            received.muted = true;
        } finally {
            driver.lock.unlock();
        }
        Runnable before = beforeClose;
        if (before != null) {
            before.run();
        }
    }

    private void letGo() {
        try {
            streams.context().watch().remove(watch);
            detach();
        } finally {
            try {
                streams.context().events().forget(this);
            } finally {
                try {
                    streams.context().queuePairs().giveBack();
                } finally {
                    streams.watchdog().forget(driver);
                }
            }
        }
    }

    private void detach() {
        try {
            sendQueue.detach(driver, number);
        } finally {
            receiveQueue.detach(driver, number);
        }
    }
}
