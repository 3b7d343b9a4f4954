package org.panamaverbs.ibverbs.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.bindings.libc.epoll_event;

/**
 * Waits for many file descriptors by epoll(7), level-triggered: until one is readable, the deadline passes, the thread
 * is interrupted, or another thread calls {@link #signal}. One thread at a time waits; it allocates nothing. Signals
 * stay until a wait or a look has seen them.
 */
public final class EventPoll implements AutoCloseable {
    private static final Call CREATE = Call.of(NativeLibrary.LIBC, "epoll_create1", Libc::epoll_create1$descriptor);
    private static final Call CONTROL = Call.of(NativeLibrary.LIBC, "epoll_ctl", Libc::epoll_ctl$descriptor);
    private static final Call EVENTFD = Call.of(NativeLibrary.LIBC, "eventfd", Libc::eventfd$descriptor);
    // For all: to signal and to clear must need no memory, since closing depends on it. Nobody reads the count.
    private static final MemorySegment ONE = Arena.global().allocateFrom(ValueLayout.JAVA_LONG, 1L);
    private static final MemorySegment COUNT = Arena.global().allocate(ValueLayout.JAVA_LONG);
    private static final int MOST = 64;
    private static final long EVENT_BYTES = epoll_event.layout().byteSize();
    private static final long DATA_OFFSET = epoll_event.data$offset();
    private static final int LONGEST_MILLIS = 60_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final int epoll;
    private final int eventFd;
    private final MemorySegment events =
            Arena.ofAuto().allocate(MemoryLayout.sequenceLayout(MOST, epoll_event.layout()));
    private final AtomicBoolean signaled = new AtomicBoolean();
    private final Runnable signal = this::signal;
    // Of who waits; another after each interrupt.
    private Interruption interruption = new Interruption(signal);
    private int count;
    private boolean shut; // guarded by this

    private EventPoll(int epoll, int eventFd) {
        this.epoll = epoll;
        this.eventFd = eventFd;
    }

    /**
     * Opens a poll of nothing.
     *
     * @throws org.panamaverbs.api.ResourceException if there are too many open files
     */
    public static EventPoll open() {
        int epoll = opened("epoll_create1", CREATE.number(Libc.EPOLL_CLOEXEC()));
        int eventFd = -1;
        boolean made = false;
        try {
            eventFd = opened("eventfd", EVENTFD.number(0, Libc.EFD_CLOEXEC() | Libc.EFD_NONBLOCK()));
            EventPoll poll = new EventPoll(epoll, eventFd);
            poll.add(eventFd);
            made = true;
            return poll;
        } finally {
            if (!made) {
                if (eventFd >= 0) {
                    closed(eventFd);
                }
                closed(epoll);
            }
        }
    }

    private static int opened(String call, int result) {
        if (result < 0) {
            throw Failure.of(call, "an event queue", -result);
        }
        return result;
    }

    private static void closed(int fd) {
        int result = Libc.close(fd);
        assert result == 0 : "close of a descriptor failed";
    }

    /** Returns the descriptor that is readable when one of those watched is, or a signal was given. */
    public int fileDescriptor() {
        return epoll;
    }

    /**
     * Begins to watch {@code fd}.
     *
     * @throws org.panamaverbs.api.ResourceException if the system refuses
     * @throws IllegalStateException if it is closed
     */
    public synchronized void add(int fd) {
        if (shut) {
            throw new IllegalStateException("the event queue is closed");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(epoll_event.layout());
            epoll_event.events(event, Libc.EPOLLIN());
            event.set(ValueLayout.JAVA_LONG_UNALIGNED, DATA_OFFSET, fd);
            CONTROL.check("file descriptor " + fd, epoll, Libc.EPOLL_CTL_ADD(), fd, event);
        }
    }

    /** Watches {@code fd} no longer; it may not be watched, and this may be closed. */
    public synchronized void remove(int fd) {
        if (shut) {
            return;
        }
        int result = Libc.epoll_ctl(epoll, Libc.EPOLL_CTL_DEL(), fd, events);
        assert result == 0 || result == -1 : result; // -1: it was not watched
    }

    /** Ends the wait under way, or the next one; nothing once it is closed. Any thread; needs no memory. */
    public void signal() {
        if (!signaled.get() && signaled.compareAndSet(false, true)) {
            synchronized (this) {
                if (!shut) {
                    long written = Libc.write(eventFd, ONE, Long.BYTES);
                    assert written == Long.BYTES || written == -1 : written; // -1: it is full, so it is signaled
                }
            }
        }
    }

    /**
     * Waits for the descriptors.
     *
     * @return how many are readable, to be asked for by {@link #readable}: 0 also after a signal
     * @throws InterruptedException if the thread is interrupted before or meanwhile; its flag is cleared then
     */
    public int await(Deadline deadline) throws InterruptedException {
        boolean interrupted = false;
        interruption.enter();
        try {
            select(timeoutMillis(deadline));
        } finally {
            interrupted = interruption.leave();
        }
        if (interrupted) {
            interruption = new Interruption(signal);
            boolean flag = Thread.interrupted();
            throw new InterruptedException(flag ? "interrupted" : "interrupted before");
        }
        return count;
    }

    /** Looks which descriptors are readable, without a wait; returns how many. */
    public int look() {
        select(0);
        return count;
    }

    private void select(int millis) {
        count = 0;
        int found = Libc.epoll_wait(epoll, events, MOST, millis);
        for (int i = 0; i < found; i++) {
            int fd = (int) events.get(ValueLayout.JAVA_LONG_UNALIGNED, i * EVENT_BYTES + DATA_OFFSET);
            if (fd == eventFd) {
                clear();
            } else {
                events.set(ValueLayout.JAVA_LONG_UNALIGNED, count * EVENT_BYTES + DATA_OFFSET, fd);
                count++;
            }
        }
    }

    // In this order: a signal that comes between both is written again.
    private void clear() {
        long read = Libc.read(eventFd, COUNT, Long.BYTES);
        assert read == Long.BYTES || read == -1 : read; // -1: there was none
        signaled.set(false);
    }

    /** Returns the descriptor {@code index} of those that the last wait or look found. */
    public int readable(int index) {
        return (int) events.get(ValueLayout.JAVA_LONG_UNALIGNED, index * EVENT_BYTES + DATA_OFFSET);
    }

    private static int timeoutMillis(Deadline deadline) {
        if (deadline.unlimited()) {
            return LONGEST_MILLIS;
        }
        return (int) Math.min(LONGEST_MILLIS, (deadline.remainingNanos() + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
    }

    /** Gives the descriptors back; nobody waits any more. Signals that come later do not reach who has them then. */
    @Override
    public synchronized void close() {
        if (!shut) {
            shut = true;
            closed(eventFd);
            closed(epoll);
        }
    }
}
