package org.panamaverbs.ibverbs.completion;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.ext.NativeObject;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_comp_channel;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.ibverbs.call.CqEvents;
import org.panamaverbs.ibverbs.call.EventAcks;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.PlatformThread;
import org.panamaverbs.ibverbs.call.Undo;
import org.panamaverbs.ibverbs.call.Wakeup;
import org.panamaverbs.ibverbs.context.EventTarget;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.support.EventWriter;
import org.panamaverbs.spi.support.Ours;
import org.panamaverbs.spi.support.Readiness;
import org.panamaverbs.spi.support.Waits;

/**
 * A completion channel. One thread waits in poll(2) at a time, others wait for their turn.
 *
 * <p>An event that was got is owed its acknowledgement, without which the destruction of its queue would wait for ever:
 * should memory run out in between, the next wait, or the closing of the queue, makes up for it.
 */
public final class IbvCompletionChannel extends ManagedResource
        implements CompletionChannel, NativeObject, EventMember, EventTarget {
    private static final EventWriter WRITER = EventWriter.get();
    private static final VarHandle OWED = JAVA_LONG.varHandle();

    private final IbvContext context;
    private final MemorySegment handle;
    private final int fd;
    private final ReentrantLock turn;
    private final Wakeup wakeup;
    // Guarded by the wakeup: its descriptor may be another's by then.
    private boolean released;
    private final Readiness readiness;
    private final CqEvents events;
    private final EventAcks acks;
    // Where ibv_get_cq_event(3) says which queue raised the event: 0 once that is acknowledged. With the turn.
    private final MemorySegment owed;
    private final MemorySegment cookie;
    private final ChannelPlaces places;

    /** Only takes over: {@code wakeup} is closed with it. */
    private IbvCompletionChannel(IbvContext context, MemorySegment handle, Wakeup wakeup) {
        super("completion channel " + context.nextNumber(), context);
        this.context = context;
        this.handle = handle;
        this.wakeup = wakeup;
        fd = ibv_comp_channel.fd(handle);
        try {
            turn = new ReentrantLock(true);
            readiness = new Readiness();
            events = new CqEvents();
            acks = new EventAcks();
            owed = Arena.ofAuto().allocate(Ibverbs.C_POINTER);
            places = new ChannelPlaces();
            cookie = Arena.ofAuto().allocate(Ibverbs.C_POINTER);
            context.objects().register(handle, this);
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    /** Creates a completion channel. */
    public static IbvCompletionChannel create(IbvContext context) {
        try (HeldParents held = new HeldParents("a completion channel", context)) {
            held.requireOpen();
            return made(context);
        }
    }

    private static IbvCompletionChannel made(IbvContext context) {
        return Creation.of(
                () -> IbvCalls.CREATE_COMP_CHANNEL.pointer(context.resourceName(), context.handle()),
                handle -> {
                    Wakeup.setNonBlocking(ibv_comp_channel.fd(handle));
                    return Creation.of(
                            Wakeup::open, wakeup -> new IbvCompletionChannel(context, handle, wakeup), Wakeup::close);
                },
                Undo.DESTROY_COMP_CHANNEL);
    }

    /**
     * Returns {@code channel}, open and of {@code context}; null if it is null.
     *
     * @throws IllegalArgumentException if it is not of that context
     */
    static @Nullable IbvCompletionChannel own(@Nullable CompletionChannel channel, IbvContext context) {
        IbvCompletionChannel ours =
                Ours.orNull("completion channel", channel, IbvCompletionChannel.class, its -> its.context, context);
        if (ours != null) {
            ours.requireOpen();
        }
        return ours;
    }

    MemorySegment handle() {
        return handle;
    }

    @Override
    public <R> R withNative(Function<MemorySegment, R> use) {
        try (HeldParents held = new HeldParents("a use of the native object", this)) {
            held.requireOpen();
            return use.apply(MemorySegment.ofAddress(handle.address()));
        }
    }

    /** Returns the places of its queues. */
    ChannelPlaces places() {
        return places;
    }

    @Override
    public Optional<CompletionQueue> await(Deadline deadline) {
        requireOpen();
        try {
            if (!turn.tryLock(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
                return Optional.empty();
            }
        } catch (InterruptedException e) {
            throw Waits.interrupted("await", resourceName());
        }
        try {
            while (true) {
                requireOpen();
                ChannelPlaces.Occupant raised = next();
                if (raised != null) {
                    return raised.handed();
                }
                if (context.isLost()) {
                    throw new ResourceException("await", resourceName() + ": " + context.lostText(), Errno.EIO);
                }
                switch (sleep(deadline)) {
                    case PASSED -> {
                        return Optional.empty();
                    }
                    case INTERRUPTED -> throw Waits.interrupted("await", resourceName());
                    case SIGNALED, READY -> requireOpen();
                }
            }
        } finally {
            turn.unlock();
        }
    }

    /** Waits for the descriptor; for a virtual thread, which would keep its carrier, another one does. */
    private Wakeup.Outcome sleep(Deadline deadline) {
        if (!Thread.currentThread().isVirtual()) {
            return wakeup.awaitInterruptibly(fd, deadline);
        }
        try {
            return PlatformThread.call(() -> wakeup.awaitInterruptibly(fd, deadline));
        } catch (InterruptedException e) {
            throw Waits.interrupted("await", resourceName());
        }
    }

    @Override
    public Taken take(Event event) {
        // Who waits for the channel itself takes the event.
        if (!isOpen() || !turn.tryLock()) {
            return Taken.NOTHING;
        }
        try {
            if (!isOpen()) {
                return Taken.NOTHING; // it was destroyed before this thread had the turn
            }
            ChannelPlaces.Occupant raised = next();
            if (raised == null) {
                return Taken.NOTHING;
            }
            WRITER.completion(event, raised);
            return Taken.ONE;
        } finally {
            turn.unlock();
        }
    }

    /** Has the thread that waits look again, as nothing comes any more from a lost device. */
    @Override
    public void raised(AsyncEvent.Type type) {
        synchronized (wakeup) {
            if (!released) {
                wakeup.signal();
            }
        }
    }

    @Override
    public String told(AsyncEvent.Type type) {
        return resourceName();
    }

    @Override
    public Readiness readiness() {
        return readiness;
    }

    @Override
    public ManagedResource device() {
        return context;
    }

    /** Tells whether its device is lost: nothing comes any more. */
    boolean isLost() {
        return context.isLost();
    }

    /** Returns the descriptor, also of a channel that is being closed. */
    int watchedDescriptor() {
        return fd;
    }

    /** Takes an event, if there is one, and returns its queue; with the turn. Allocates nothing. */
    private ChannelPlaces.@Nullable Occupant next() {
        ChannelPlaces.Occupant raised = acknowledge();
        if (raised == null) {
            get();
            raised = acknowledge();
        }
        return raised;
    }

    /** Takes an event, if there is one; with the turn, and nothing owed. */
    private void get() {
        int errno = events.get(handle, owed, cookie);
        if (errno != 0 && errno != Errno.EAGAIN && errno != Errno.EINTR && !context.isGone(errno)) {
            throw Failure.of("ibv_get_cq_event", resourceName(), errno);
        }
    }

    /**
     * Acknowledges the event that was got; returns its queue, null if there is no such event or queue; with the turn.
     */
    private ChannelPlaces.@Nullable Occupant acknowledge() {
        long raised = (long) OWED.getVolatile(owed, 0L);
        if (raised == 0) {
            return null;
        }
        ChannelPlaces.Occupant found = places.at(cookie.get(JAVA_LONG, 0), raised);
        acks.completion(raised);
        OWED.setVolatile(owed, 0L, 0L);
        return found;
    }

    /** Acknowledges what is owed to {@code queue}, which is about to be destroyed. */
    void settle(MemorySegment queue) {
        if ((long) OWED.getVolatile(owed, 0L) != queue.address()) {
            return; // as always; who waits has the turn
        }
        turn.lock();
        try {
            if ((long) OWED.getVolatile(owed, 0L) == queue.address()) {
                acknowledge();
            }
        } finally {
            turn.unlock();
        }
    }

    @Override
    public OptionalInt fileDescriptor() {
        requireOpen();
        return OptionalInt.of(fd);
    }

    @Override
    protected void destroy() {
        // Before the descriptor may be another's.
        readiness.closed();
        wakeup.signal();
        context.objects().forget(handle, this);
        turn.lock(); // after the thread that waits
        try {
            if (!context.destroy(IbvCalls.DESTROY_COMP_CHANNEL, resourceName(), handle)) {
                int closed = Libc.close(fd); // the library keeps the rest
                assert closed == 0 : closed;
            }
        } finally {
            turn.unlock();
        }
    }

    @Override
    protected void release() {
        synchronized (wakeup) {
            released = true;
            wakeup.close();
        }
    }
}
