package org.panamaverbs.ibverbs.cm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.spi.support.DeferredLog;
import org.panamaverbs.spi.support.Waits;

/**
 * A {@code struct rdma_cm_id}: what is called on it, the events that came for it, and its end.
 *
 * <p>Calls can block in the kernel for long (siw connects TCP inside {@code rdma_connect}, and {@code rdma_destroy_id}
 * waits until a set-up under way is over), so they run on the channel's threads, and the caller waits for them no
 * longer than its deadline. An id that is to be destroyed is destroyed when the last call on it has returned. All
 * methods may be called by any thread.
 */
public final class CmId {
    private static final int RETRIES = 3;

    private final Owner channel;
    private final MemorySegment id;
    private final boolean datagrams;
    private final long address;
    // Made before: the end of an id must need no memory, nor must that of what is made of it.
    private final CmTask destruction = new CmTask(this::destroyNow);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // The events that came for it, under the same lock.
    private final CmInbox inbox;
    // Guarded by lock. Who is offered requests, from the moment on that there is one.
    private @Nullable Predicate<Incoming> requests;
    // Calls on the native id that have begun and not returned.
    private int calls;
    // How often its destruction is tried again by itself, should the kernel refuse.
    private int retries;
    // Written under the lock.
    private volatile Life life = Life.ALIVE;

    /** The next in its chain; that of {@link CmIds}, under its monitor. */
    @Nullable
    CmId nextInChain;

    CmId(Owner channel, MemorySegment id, boolean datagrams) {
        this.channel = channel;
        this.id = id;
        this.datagrams = datagrams;
        address = id.address();
        inbox = new CmInbox(lock, changed, channel::defer);
    }

    /** Returns the native address, which tells it from the other ids of its channel while it lives. */
    long address() {
        return address;
    }

    /** Tells whether the id is of {@code RDMA_PS_UDP}. */
    boolean isForDatagrams() {
        return datagrams;
    }

    /** Returns the native id; for calls made in {@link #call} and {@link #perform}. */
    public MemorySegment pointer() {
        return id;
    }

    /**
     * Runs {@code body}, which is one or more calls on the id, on another thread.
     *
     * @param body gets memory that lives until it returns, and returns an error number or 0
     * @return what {@code body} returned, empty if the deadline passed before; the body may still run then
     * @throws IllegalStateException if the id is being destroyed, also meanwhile; the body may still run then
     */
    public OptionalInt perform(ToIntFunction<Arena> body, Deadline deadline) {
        Outcome outcome = begin(body);
        lock.lock();
        try {
            Waits.uninterruptibly(() -> outcome.known || life != Life.ALIVE, deadline, changed);
        } finally {
            lock.unlock();
        }
        return errno(outcome);
    }

    /**
     * Runs {@code body} as {@link #perform} does, and waits no longer than to an interrupt.
     *
     * @throws InterruptedException if the thread is interrupted before or meanwhile, and what {@code body} returned is
     *     not known; its flag is cleared then, and the body was begun and may still run
     */
    public OptionalInt performInterruptibly(ToIntFunction<Arena> body, Deadline deadline) throws InterruptedException {
        Outcome outcome = begin(body);
        await(() -> outcome.known, deadline);
        return errno(outcome);
    }

    private Outcome begin(ToIntFunction<Arena> body) {
        Outcome outcome = new Outcome();
        enter();
        boolean begun = false;
        try {
            channel.execute(new CmTask(() -> perform(body, outcome)));
            begun = true;
        } finally {
            if (!begun) {
                leave();
            }
        }
        return outcome;
    }

    private OptionalInt errno(Outcome outcome) {
        if (!outcome.known) {
            requireAlive();
            return OptionalInt.empty();
        }
        if (outcome.failure instanceof Error error) {
            throw error;
        }
        if (outcome.failure instanceof RuntimeException exception) {
            throw exception;
        }
        return OptionalInt.of(outcome.errno);
    }

    private void perform(ToIntFunction<Arena> body, Outcome outcome) {
        try (Arena arena = Arena.ofConfined()) {
            outcome.errno = body.applyAsInt(arena);
        } catch (RuntimeException | Error e) {
            outcome.failure = e;
        } finally {
            outcome.known = true;
            leave();
        }
    }

    /**
     * Runs {@code body}, calls on the id that do not block, on this thread.
     *
     * @throws IllegalStateException if the id is being destroyed
     */
    public <T extends @Nullable Object> T call(Supplier<T> body) {
        enter();
        try {
            return body.get();
        } finally {
            leave();
        }
    }

    /**
     * Waits for the next event that matters.
     *
     * @return the event, null if the deadline passed before; of type LOST for one that there was no memory for
     * @throws IllegalStateException if the id is being destroyed, also meanwhile
     * @throws InterruptedException if the thread is interrupted before or meanwhile, and there is no event; its flag is
     *     cleared then
     */
    @Nullable
    public CmEvent awaitEvent(Deadline deadline) throws InterruptedException {
        lock.lock();
        try {
            await(inbox::hasEvent, deadline);
            return nextEvent();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the next event that matters, if there is one; as {@link #awaitEvent} does otherwise.
     *
     * @return the event, null if there is none
     */
    @Nullable
    public CmEvent nextEvent() {
        lock.lock();
        try {
            if (inbox.hasEvent()) {
                return inbox.next();
            }
            requireAlive();
            return null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Has {@code task} executed when there is an event to take, and when the id is about to be destroyed; null for
     * nothing. Until events are delivered otherwise.
     */
    public void onArrival(@Nullable CmTask task) {
        lock.lock();
        try {
            inbox.onArrival(task == null ? null : () -> channel.execute(task));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Delivers as {@link #deliverTo(Consumer)} does, as long as {@code owner} is reachable: the channel knows all ids,
     * and would keep what was lost without being closed from being reported. {@code consumer} must not refer to it
     * otherwise.
     */
    public <T> void deliverTo(T owner, BiConsumer<T, CmEvent> consumer) {
        inbox.deliverTo(owner, consumer);
    }

    /** Has {@code consumer} get the events that came and will come, each on the channel's threads or this one. */
    public void deliverTo(Consumer<CmEvent> consumer) {
        inbox.deliverTo(consumer);
    }

    /** Takes an event; called by the channel. */
    void deliver(CmEvent event) {
        inbox.deliver(event);
    }

    /**
     * Has {@code taker} get the requests that come, on the channel's thread, as long as {@code owner} is reachable;
     * those that it does not take are rejected. {@code taker} must not refer to the owner otherwise.
     */
    public <T> void offerTo(T owner, BiPredicate<T, Incoming> taker) {
        WeakReference<T> reference = new WeakReference<>(owner);
        lock.lock();
        try {
            requests = request -> {
                T reachable = reference.get();
                return reachable != null && taker.test(reachable, request);
            };
        } finally {
            lock.unlock();
        }
    }

    /** Takes a request; called by the channel. Returns false if nobody wants it. */
    boolean offer(Incoming request) {
        Predicate<Incoming> taker;
        lock.lock();
        try {
            taker = requests;
        } finally {
            lock.unlock();
        }
        return taker != null && taker.test(request);
    }

    /**
     * Has the id destroyed as soon as no call runs on it, and its events dropped. Destroying again does nothing, unless
     * the kernel refused.
     */
    public void destroy() {
        destroy(0);
    }

    private void destroy(int again) {
        boolean now;
        lock.lock();
        try {
            retries = Math.max(retries, again);
            Life before = life;
            now = (before == Life.ALIVE || before == Life.REFUSED) && calls == 0;
            life = before.doomed();
            inbox.arrived();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (now) {
            channel.execute(destruction);
        }
    }

    /**
     * Has the id destroyed as {@link #destroy} does, for who cannot come back: what the kernel refuses is tried again a
     * few times.
     */
    public void discard() {
        destroy(RETRIES);
    }

    /** Waits until the id is destroyed; returns false if it is not after {@code seconds}, or the kernel refused. */
    public boolean awaitDestroyed(long seconds) {
        lock.lock();
        try {
            Deadline deadline = Deadline.in(seconds, TimeUnit.SECONDS);
            Waits.uninterruptibly(() -> life == Life.GONE || life == Life.REFUSED, deadline, changed);
            return life == Life.GONE;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Has the id destroyed and waits for that, for {@code object}, whose it is; can be called again if it throws.
     *
     * @throws ResourceException if it is not destroyed after {@code seconds}, or the kernel refused
     */
    public void end(String object, long seconds) {
        destroy();
        if (!awaitDestroyed(seconds)) {
            throw new ResourceException(
                    "rdma_destroy_id",
                    object + ": rdma_destroy_id failed, or has not returned after " + seconds
                            + " s; remedy: close it again, which retries or waits",
                    0);
        }
    }

    private void enter() {
        lock.lock();
        try {
            requireAlive();
            calls++;
        } finally {
            lock.unlock();
        }
    }

    private void requireAlive() {
        if (life != Life.ALIVE) {
            throw new IllegalStateException("the connection manager's id is being destroyed");
        }
    }

    private void leave() {
        boolean last;
        lock.lock();
        try {
            calls--;
            last = life != Life.ALIVE && calls == 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (last) {
            channel.execute(destruction);
        }
    }

    /**
     * Destroys the native id. An id that the kernel refused to destroy is not counted any more, so that its channel can
     * end without it; it is counted again while it is tried again, and has gone where the channel has.
     */
    private void destroyNow() {
        int result = -1;
        boolean counted = false;
        try {
            counted = life == Life.DOOMED || channel.recount();
            result = counted ? channel.destroy(this) : 0;
        } finally {
            boolean again = tried(result == 0);
            if (counted) {
                channel.destroyed();
            }
            if (again) {
                channel.execute(destruction);
            }
        }
        if (result != 0) {
            DeferredLog.log(CmId.class, System.Logger.Level.WARNING, "rdma_destroy_id failed");
        }
    }

    /** Takes note of an attempt to destroy the id; returns whether it is to be made again. */
    private boolean tried(boolean destroyed) {
        lock.lock();
        try {
            boolean again = !destroyed && retries > 0;
            if (again) {
                retries--;
            }
            life = destroyed ? Life.GONE : again ? Life.DOOMED_AGAIN : Life.REFUSED;
            changed.signalAll();
            return again;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for {@code done} as long as the id is not being destroyed; what is there is not lost to an interrupt. */
    private void await(BooleanSupplier done, Deadline deadline) throws InterruptedException {
        lock.lock();
        try {
            Waits.interruptibly(() -> done.getAsBoolean() || life != Life.ALIVE, deadline, changed);
        } catch (InterruptedException e) {
            if (!done.getAsBoolean()) {
                throw e;
            }
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** How far the end of an id is. */
    private enum Life {
        /** Calls may be made. */
        ALIVE,
        /** No call begins any more; it is destroyed when the last one has returned. */
        DOOMED,
        /** The kernel has refused to destroy it, and its channel counts it no more; destroying again tries again. */
        REFUSED,
        /** It is tried again. */
        DOOMED_AGAIN,
        /** It is destroyed, or its channel has ended and it with it. */
        GONE;

        /** Returns what it is once its destruction is asked for. */
        Life doomed() {
            return this == ALIVE ? DOOMED : this == REFUSED ? DOOMED_AGAIN : this;
        }
    }

    /** The channel that an id is of. */
    interface Owner {
        /** Runs {@code task}, which may block, on a thread of its own. */
        void execute(CmTask task);

        /** Runs {@code task} so a little later; returns false if the channel has ended. */
        boolean defer(CmTask task);

        /** Has no more events delivered to {@code id} and destroys the native one; returns what that answered. */
        int destroy(CmId id);

        /** Counts an id less; called when it is destroyed, or the kernel refused. */
        void destroyed();

        /** Counts such an id again, which is not to be touched if false: the channel ends, and the id with it. */
        boolean recount();
    }

    /**
     * A request to connect.
     *
     * @param id its id
     * @param event what the peer asks for
     */
    public record Incoming(CmId id, CmEvent event) {}

    /** What a call on another thread came to. */
    private static final class Outcome {
        private int errno;
        private @Nullable Throwable failure;
        // Written last, read first.
        private volatile boolean known;
    }
}
