package org.panamaverbs.ibverbs.context;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_async_event;
import org.panamaverbs.bindings.ibverbs.ibv_context;
import org.panamaverbs.ibverbs.call.EventAcks;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.Wakeup;
import org.panamaverbs.ibverbs.call.Wakeup.Outcome;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.AsyncEventQueue;
import org.panamaverbs.spi.support.DeferredLog;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.support.Waits;
import org.panamaverbs.spi.watch.DeviceWatch;

/**
 * The asynchronous events of a context. A thread takes each as it comes ({@code ibv_get_async_event(3)}), acknowledges
 * it at once, so that no destroy waits for it, and tells the object; applications take them from a queue.
 */
final class AsyncEvents {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    // enum ibv_event_type in order; null for what only receive work queues raise.
    private static final AsyncEvent.@Nullable Type[] TYPES = {
        AsyncEvent.Type.CQ_ERROR,
        AsyncEvent.Type.QP_FATAL,
        AsyncEvent.Type.QP_REQUEST_ERROR,
        AsyncEvent.Type.QP_ACCESS_ERROR,
        AsyncEvent.Type.COMMUNICATION_ESTABLISHED,
        AsyncEvent.Type.SQ_DRAINED,
        AsyncEvent.Type.PATH_MIGRATED,
        AsyncEvent.Type.PATH_MIGRATION_ERROR,
        AsyncEvent.Type.DEVICE_FATAL,
        AsyncEvent.Type.PORT_ACTIVE,
        AsyncEvent.Type.PORT_ERROR,
        AsyncEvent.Type.LID_CHANGE,
        AsyncEvent.Type.PKEY_CHANGE,
        AsyncEvent.Type.SM_CHANGE,
        AsyncEvent.Type.SRQ_ERROR,
        AsyncEvent.Type.SRQ_LIMIT_REACHED,
        AsyncEvent.Type.QP_LAST_WQE_REACHED,
        AsyncEvent.Type.CLIENT_REREGISTER,
        AsyncEvent.Type.GID_CHANGE,
        null
    };

    private final String device;
    private final IbvContext context;
    private final NativeObjects objects;
    private final MemorySegment handle;
    private final Wakeup wakeup;
    private final AsyncEventQueue queue;
    private final DeviceWatch watch;
    private final Thread thread;
    private final EventAcks acks = new EventAcks();
    private final MemorySegment raised = ibv_async_event.allocate(Arena.ofAuto());
    // Made before, as there may be no memory for it when it is logged.
    private final String waitFailed;
    private final String eventLost;
    private final String eventUnheard;
    // The thread's: whether its last turn went well, else it has told of that.
    private boolean healthy = true;
    // The thread's: whether applications were told that the device is lost.
    private boolean lossTold;
    private volatile Object deviceSource;

    /** Creates a queue of events that takes none yet; it closes {@code wakeup} when it is closed. */
    AsyncEvents(IbvContext context, ContextConfig config, NativeObjects objects, Wakeup wakeup, DeviceWatch watch) {
        this.watch = watch;
        this.context = context;
        queue = new AsyncEventQueue(context);
        this.objects = objects;
        device = config.device();
        waitFailed = "waiting for events of device " + device + " failed";
        eventUnheard = "an event of device " + device + " was reported, but not handled";
        eventLost = "an event of device " + device + " was lost";
        DeferredLog.prepare();
        handle = config.context();
        this.wakeup = wakeup;
        deviceSource = context;
        thread = Thread.ofPlatform().daemon().name("verbs-async-" + device).unstarted(this::run);
    }

    /** Begins to take events. */
    void start() {
        Wakeup.setNonBlocking(ibv_context.async_fd(handle));
        thread.start();
    }

    void deviceSource(Object source) {
        deviceSource = source;
    }

    Object deviceSource() {
        return deviceSource;
    }

    Optional<AsyncEvent> take(Deadline deadline) {
        return queue.take(deadline);
    }

    /** Returns the events as a member of event queues. */
    EventMember member() {
        return queue;
    }

    /** Ends the waits of applications, as the context is closed. */
    void wake() {
        queue.wake();
    }

    private void run() {
        while (turn()) {
            // Until the end.
        }
    }

    /** Waits for an event and takes it; returns false if there is none any more. */
    private boolean turn() {
        try {
            if (wakeup.await(ibv_context.async_fd(handle), Deadline.never()) == Outcome.SIGNALED) {
                return false;
            }
            int errno = IbvCalls.GET_ASYNC_EVENT.status(handle, raised);
            if (errno == 0) {
                takeOne();
            } else if (errno != Errno.EAGAIN && errno != Errno.EINTR) {
                // The device was removed: nothing comes any more.
                String detail = "device " + device + " is gone: " + Errno.describe(errno);
                deliver(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, deviceSource, detail));
                return false;
            }
            healthy = true;
        } catch (RuntimeException | Error e) {
            // Whatever it was, there are events to come; there may be memory again.
            if (healthy) {
                DeferredLog.log(AsyncEvents.class, Level.ERROR, waitFailed, e);
            }
            healthy = false;
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }

    private void takeOne() {
        try {
            AsyncEvent taken;
            try {
                taken = translate(raised);
            } finally {
                acks.asynchronous(raised.address()); // else the destruction of its object would wait for ever
            }
            if (taken != null) {
                deliver(taken);
            }
        } catch (RuntimeException | Error e) {
            // The next event is another object's: whatever this was, it must not be the last.
            queue.lost();
            DeferredLog.log(AsyncEvents.class, Level.ERROR, eventLost, e);
        }
    }

    private @Nullable AsyncEvent translate(MemorySegment event) {
        int number = ibv_async_event.event_type(event);
        AsyncEvent.Type type = number >= 0 && number < TYPES.length ? TYPES[number] : null;
        if (type == null) {
            return null;
        }
        MemorySegment element = ibv_async_event.element(event);
        String detail = "device " + device;
        Object source = deviceSource;
        int port = 0;
        switch (type) {
            case CQ_ERROR,
                    QP_FATAL,
                    QP_REQUEST_ERROR,
                    QP_ACCESS_ERROR,
                    COMMUNICATION_ESTABLISHED,
                    SQ_DRAINED,
                    PATH_MIGRATED,
                    PATH_MIGRATION_ERROR,
                    SRQ_ERROR,
                    SRQ_LIMIT_REACHED,
                    QP_LAST_WQE_REACHED -> {
                ManagedResource object =
                        objects.at(ibv_async_event.element.cq(element).address());
                if (object == null) {
                    return null; // it was destroyed meanwhile
                }
                source = object;
                detail = object instanceof EventTarget target ? target.told(type) : object.resourceName();
            }
            case DEVICE_FATAL -> detail += " failed";
            default -> {
                port = ibv_async_event.element.port_num(element);
                detail += " port " + port;
            }
        }
        return new AsyncEvent(type, source, detail, null, port);
    }

    /** Adds an event that did not come from the device's own channel. Any thread. */
    void raise(AsyncEvent.Type type, @Nullable Object source, String detail) {
        boolean added = false;
        try {
            AsyncEvent event = new AsyncEvent(type, source == null ? deviceSource : source, detail);
            add(event);
            added = true;
        } finally {
            if (!added) {
                queue.lost();
            }
        }
    }

    private void deliver(AsyncEvent event) {
        if (event.type() == AsyncEvent.Type.DEVICE_FATAL) {
            if (lossTold) {
                return;
            }
        }
        try {
            hear(event);
        } catch (RuntimeException | Error e) {
            DeferredLog.log(AsyncEvents.class, Level.ERROR, eventUnheard, e); // applications hear of it still
        }
        add(event);
        // Behind it: what could not be added comes again.
        lossTold |= event.type() == AsyncEvent.Type.DEVICE_FATAL;
    }

    /** Has the objects here hear of {@code event}, before applications do. */
    private void hear(AsyncEvent event) {
        if (event.type() == AsyncEvent.Type.DEVICE_FATAL) {
            context.lose();
        } else if (event.source() instanceof EventTarget target) {
            target.raised(event.type());
        }
    }

    private void add(AsyncEvent event) {
        queue.add(event);
        if (event.source() instanceof ManagedResource source && !source.isOpen()) {
            queue.forget(source); // it may have been closed before that
        }
        watch.raised(event);
    }

    /** Drops the events of {@code source}, which is closed: nobody else refers to it any more. */
    void forget(ManagedResource source) {
        queue.forget(source);
    }

    /** Ends the thread, which may have ended before; nothing is read any more when it returns. */
    void end() {
        wakeup.signal();
        Waits.awaitEnd(thread);
    }

    /** Frees what the thread waited by, after {@link #end}. */
    void close() {
        queue.readiness().closed();
        wakeup.close();
    }
}
