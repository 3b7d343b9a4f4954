package org.panamaverbs.iwarp.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.bindings.libc.epoll_event;
import org.panamaverbs.spi.support.DeferredLog;

/** Waits by epoll, level-triggered. What changes counts at once, also for a wait under way (man page epoll_ctl(2)). */
final class EpollPoller implements Poller {
    private static final MethodHandle CREATE = LibcCalls.handle("epoll_create1");
    private static final MethodHandle CONTROL = LibcCalls.handle("epoll_ctl");
    private static final MethodHandle WAIT = LibcCalls.handle("epoll_wait");
    private static final MethodHandle EVENTFD = LibcCalls.handle("eventfd");
    private static final FunctionDescriptor OCTETS = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    // A wake-up may be too rare to be compiled: with errno each one would allocate.
    private static final MethodHandle WRITE = LibcCalls.withoutErrno("write", OCTETS);
    private static final MethodHandle READ = LibcCalls.withoutErrno("read", OCTETS);

    private static final int MAX_EVENTS = 256;
    private static final long EVENT_BYTES = epoll_event.layout().byteSize();
    private static final long EVENTS_OFFSET = epoll_event.events$offset();
    private static final long DATA_OFFSET = epoll_event.data$offset();
    private static final int FEW = 16;
    // The wake-up; watches have their index and how many had it before, from 1.
    private static final long WAKEUP = 0;

    // What the system has refused, for want of memory, is asked for again so much later.
    private static final long RETRY_MILLIS = 10;

    private static final VarHandle WOKEN;

    static {
        try {
            WOKEN = MethodHandles.lookup().findVarHandle(EpollPoller.class, "woken", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // Not constants for the compiler; see LibcCalls.
    private final MethodHandle control = CONTROL;
    private final MethodHandle wait = WAIT;
    private final int epoll;
    private final int wake;
    // Held to write to it, and to close it.
    private final Object waking = new Object();
    // Whether the wake-up was written to and has not been read.
    @SuppressWarnings("UnusedVariable") // read by WOKEN
    private volatile boolean woken;
    // Of who waits: the others borrow theirs for a moment.
    private final LibcCalls waiting = new LibcCalls();
    private final MemorySegment events =
            Arena.ofAuto().allocate(MemoryLayout.sequenceLayout(MAX_EVENTS, epoll_event.layout()));
    // Grown and shrunk under this object's lock; read without it by who waits, who tells old ones by their number.
    private volatile @Nullable Registration[] watches = new Registration[FEW];
    // As long as the watches, so that forgetting one needs no memory.
    private int[] free = new int[FEW];
    private int freeCount;
    private int used;
    private int generation;
    private volatile boolean closed;
    // Some watches are not as their owners want them: the system has refused.
    private volatile boolean refused;
    // When they are tried again; used by the selecting thread alone.
    private long retryNanos = System.nanoTime();

    EpollPoller() throws IOException {
        epoll = open("epoll_create1");
        int opened = -1;
        try {
            opened = open("eventfd");
            wake = opened;
            control(Libc.EPOLL_CTL_ADD(), wake, Libc.EPOLLIN(), WAKEUP);
        } catch (IOException | RuntimeException | Error e) {
            if (opened >= 0) {
                SocketCalls.close(opened);
            }
            SocketCalls.close(epoll);
            throw e;
        }
    }

    private static int open(String call) throws IOException {
        LibcCalls calls = LibcCalls.take();
        try {
            return opened(
                    call,
                    call.equals("eventfd")
                            ? calls.callInt(EVENTFD, 0, Libc.EFD_CLOEXEC() | Libc.EFD_NONBLOCK(), 0)
                            : calls.callInt(CREATE, Libc.EPOLL_CLOEXEC(), 0, 0));
        } finally {
            calls.giveBack();
        }
    }

    private static int opened(String call, long result) throws IOException {
        if (result < 0) {
            throw LibcErrors.of(call, (int) -result);
        }
        return (int) result;
    }

    private void control(int operation, int descriptor, int wanted, long data) throws IOException {
        LibcCalls calls = LibcCalls.take();
        try {
            MemorySegment event = calls.small();
            epoll_event.events(event, wanted);
            event.set(JAVA_LONG_UNALIGNED, DATA_OFFSET, data);
            long result = calls.callInt(control, epoll, operation, descriptor, event.address(), 0);
            if (result < 0) {
                throw LibcErrors.of("epoll_ctl", (int) -result);
            }
        } finally {
            calls.giveBack();
        }
    }

    /** The watch of one descriptor, which the system knows of only while it waits for something. */
    final class Registration implements Watch {
        private final LibcDescriptor channel;
        private final int index;
        private final long number;
        private volatile Object attachment;
        // What its owner waits for, and what the system does: not the same where it has refused. Under the channel.
        private int interest;
        private int known;
        private boolean cancelled;
        private volatile boolean complained;
        private volatile int ready;

        private Registration(LibcDescriptor channel, int index, long number, Object attachment) {
            this.channel = channel;
            this.index = index;
            this.number = number;
            this.attachment = attachment;
        }

        @Override
        public int interest() {
            synchronized (channel) {
                return interest;
            }
        }

        @Override
        public void interest(int operations) {
            if (!isChanged(operations)) {
                // A wait that is under way is not for ever.
                wakeup();
            }
        }

        private boolean isChanged(int operations) {
            try {
                change(operations);
                return true;
            } catch (IOException e) {
                refused = true;
                if (!complained) {
                    complained = true;
                    String what = "a socket cannot be watched now; watching is retried";
                    DeferredLog.log(EpollPoller.class, System.Logger.Level.ERROR, what, e);
                }
                return false;
            }
        }

        private void tryAgain() {
            synchronized (channel) {
                if (known != interest) {
                    isChanged(interest);
                }
            }
        }

        private void change(int operations) throws IOException {
            synchronized (channel) {
                int descriptor = channel.descriptorOrNone();
                if (cancelled || descriptor < 0) {
                    return;
                }
                interest = operations;
                if (operations == known) {
                    return;
                }
                // Without interest it must be unknown: hang-ups and errors are reported of all that are known.
                int operation = operations == 0
                        ? Libc.EPOLL_CTL_DEL()
                        : known == 0 ? Libc.EPOLL_CTL_ADD() : Libc.EPOLL_CTL_MOD();
                control(operation, descriptor, wanted(operations), number);
                known = operations;
            }
        }

        private static int wanted(int operations) {
            return ((operations & READ) == 0 ? 0 : Libc.EPOLLIN()) | ((operations & WRITE) == 0 ? 0 : Libc.EPOLLOUT());
        }

        private void found(int what) {
            int failed = what & (Libc.EPOLLERR() | Libc.EPOLLHUP());
            ready = failed != 0 ? READ | WRITE : (what & Libc.EPOLLOUT()) == 0 ? READ : WRITE;
        }

        @Override
        public boolean isWritable() {
            return (ready & WRITE) != 0 && (interest() & WRITE) != 0;
        }

        @Override
        public void cancel() {
            synchronized (channel) {
                if (!cancelled) {
                    try {
                        interest(0);
                    } finally {
                        cancelled = true;
                        forget(this);
                        channel.cancelled(this);
                    }
                }
            }
        }

        @Override
        public Object attachment() {
            return attachment;
        }

        @Override
        public void attach(Object other) {
            attachment = other;
        }
    }

    @Override
    public Watch register(Pollable channel, int interest, Object attachment) throws IOException {
        LibcDescriptor watched = (LibcDescriptor) channel;
        watched.descriptor();
        Registration registration = enter(watched, attachment);
        try {
            watched.watchedBy(registration);
            registration.change(interest);
            return registration;
        } catch (IOException | RuntimeException | Error e) {
            registration.cancel();
            throw e;
        }
    }

    private synchronized Registration enter(LibcDescriptor channel, Object attachment) throws IOException {
        if (closed) {
            throw new IOException("the poller is closed");
        }
        if (freeCount == 0 && used == watches.length) {
            // What fails for lack of memory has changed nothing.
            int[] moreFree = new int[2 * used];
            watches = Arrays.copyOf(watches, 2 * used);
            free = moreFree;
        }
        int index = freeCount > 0 ? free[freeCount - 1] : used;
        long number = (long) (generation + 1) << Integer.SIZE | index;
        Registration registration = new Registration(channel, index, number, attachment);
        generation++;
        if (freeCount > 0) {
            freeCount--;
        } else {
            used++;
        }
        watches[index] = registration;
        return registration;
    }

    private synchronized void forget(Registration registration) {
        watches[registration.index] = null;
        free[freeCount++] = registration.index;
    }

    @Override
    public void select(Consumer<Watch> ready, long millis) throws IOException {
        long found = await(refused && (millis < 0 || millis > RETRY_MILLIS) ? RETRY_MILLIS : millis);
        for (long i = 0; i < found; i++) {
            long event = i * EVENT_BYTES;
            long number = events.get(JAVA_LONG_UNALIGNED, event + DATA_OFFSET);
            if (number == WAKEUP) {
                clearWakeup();
                continue;
            }
            Registration registration = watches[(int) number];
            // One that was found before may have ended another.
            if (registration != null && registration.number == number) {
                registration.found(events.get(JAVA_INT, event + EVENTS_OFFSET));
                ready.accept(registration);
            }
        }
        if (refused) {
            tryAgain();
        }
    }

    private void tryAgain() {
        long now = System.nanoTime();
        if (now - retryNanos < 0) {
            return;
        }
        retryNanos = now + TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
        // Before: what is refused meanwhile is tried again the next time.
        refused = false;
        for (Registration registration : watches) {
            if (registration != null) {
                registration.tryAgain();
            }
        }
    }

    private long await(long millis) throws IOException {
        LibcCalls calls = waiting;
        int timeout = (int) Math.min(millis, Integer.MAX_VALUE);
        long result = calls.callInt(wait, epoll, events.address(), MAX_EVENTS, timeout, 0);
        if (result < 0 && result != -Libc.EINTR()) {
            throw LibcErrors.of("epoll_wait", (int) -result);
        }
        return result;
    }

    @Override
    public void wakeup() {
        if (!WOKEN.compareAndSet(this, false, true)) {
            return;
        }
        boolean told = false;
        try {
            synchronized (waking) {
                if (!closed) {
                    transfer(WRITE);
                }
            }
            told = true;
        } finally {
            if (!told) {
                // The next one tries again: nobody else would.
                woken = false;
            }
        }
    }

    private void clearWakeup() {
        try {
            transfer(READ);
        } finally {
            // After the read, even if it failed: whoever returns from this wait sees what a wake-up in between was for.
            woken = false;
        }
    }

    private void transfer(MethodHandle handle) {
        LibcCalls calls = LibcCalls.take();
        try {
            calls.small().set(JAVA_LONG, 0, 1);
            long ignored = (long) handle.invokeExact(wake, calls.small().address(), (long) Long.BYTES);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        } finally {
            calls.giveBack();
        }
    }

    @Override
    public boolean isDeferring() {
        return false;
    }

    @Override
    public void forEach(Consumer<Watch> action) {
        @Nullable Registration[] all = watches;
        for (Registration registration : all) {
            if (registration != null) {
                action.accept(registration);
            }
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        // Nothing is added any more.
        for (int i = 0; i < watches.length; i++) {
            Registration registration = watches[i];
            if (registration != null) {
                registration.channel.close();
            }
        }
        synchronized (waking) {
            SocketCalls.close(wake);
        }
        SocketCalls.close(epoll);
    }
}
