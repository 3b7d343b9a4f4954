package org.panamaverbs.ibverbs.call;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.bindings.libc.pollfd;

/**
 * Waits for file descriptors: a wait in poll(2) ends when the descriptor is readable, the deadline passes, or another
 * thread calls {@link #signal()}. Signals stay until {@link #clear()}.
 */
public final class Wakeup implements AutoCloseable {
    private static final Call EVENTFD = Call.of(NativeLibrary.LIBC, "eventfd", Libc::eventfd$descriptor);
    private static final Call POLL = Call.of(NativeLibrary.LIBC, "poll", Libc::poll$descriptor);
    private static final int LONGEST_MILLIS = 60_000;

    // For all: to signal and to clear must need no memory, since closing depends on it. Nobody reads the count.
    private static final MemorySegment ONE = Arena.global().allocateFrom(JAVA_LONG, 1L);
    private static final MemorySegment COUNT = Arena.global().allocate(JAVA_LONG);

    /** How a wait ended. */
    public enum Outcome {
        /** The descriptor is readable or failed. */
        READY,
        /** {@link #signal()} was called. */
        SIGNALED,
        /** The deadline passed. */
        PASSED,
        /** The thread was interrupted, which its flag still says; only {@link #awaitInterruptibly} ends so. */
        INTERRUPTED
    }

    private final Runnable signal = this::signal;
    private int eventFd; // set once, before anybody else has it

    private Wakeup() {}

    /**
     * Opens the eventfd that {@link #signal} writes to.
     *
     * @throws org.panamaverbs.api.ResourceException if there are too many open files
     */
    public static Wakeup open() {
        Wakeup made = new Wakeup();
        made.eventFd = EVENTFD.number(0, Libc.EFD_CLOEXEC() | Libc.EFD_NONBLOCK());
        if (made.eventFd < 0) {
            throw Failure.of("eventfd", "a wait", -made.eventFd);
        }
        return made;
    }

    /** Lets reads of {@code fd} answer EAGAIN instead of waiting. */
    public static void setNonBlocking(int fd) {
        int result = Libc.fcntl.makeInvoker(Libc.C_INT).apply(fd, Libc.F_SETFL(), Libc.O_NONBLOCK());
        if (result < 0) {
            throw new IllegalStateException("fcntl of file descriptor " + fd + " failed");
        }
    }

    /**
     * Waits until {@code fd} is readable or the thread is interrupted. For one thread at a time: an interrupt is a
     * signal that is forgotten again, and so may be one that came at the same time.
     */
    public Outcome awaitInterruptibly(int fd, Deadline deadline) {
        Interruption interruption = new Interruption(signal);
        boolean interrupted = false;
        Outcome outcome;
        interruption.enter();
        try {
            outcome = await(fd, deadline);
        } finally {
            interrupted = interruption.leave();
            if (interrupted) {
                clear();
            }
        }
        return interrupted ? Outcome.INTERRUPTED : outcome;
    }

    /** Waits until {@code fd} is readable, whether or not the thread is interrupted. A signal goes before readiness. */
    public Outcome await(int fd, Deadline deadline) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment fds = pollfd.allocateArray(2, arena);
            arm(pollfd.asSlice(fds, 0), eventFd);
            arm(pollfd.asSlice(fds, 1), fd);
            while (true) {
                int count = POLL.number(fds, 2L, timeoutMillis(deadline));
                if (pollfd.revents(pollfd.asSlice(fds, 0)) != 0) {
                    return Outcome.SIGNALED;
                }
                if (count > 0) {
                    return Outcome.READY;
                }
                if (count < 0 && count != -Errno.EINTR) {
                    throw Failure.of("poll", "file descriptor " + fd, -count);
                }
                if (deadline.passed()) {
                    return Outcome.PASSED;
                }
            }
        }
    }

    /** Ends waits, those to come as well. */
    public void signal() {
        long written = Libc.write(eventFd, ONE, Long.BYTES);
        assert written == Long.BYTES || written == -1 : written; // -1: the counter is full, so it is signaled
    }

    /** Forgets earlier signals. */
    public void clear() {
        long read = Libc.read(eventFd, COUNT, Long.BYTES);
        assert read == Long.BYTES || read == -1 : read; // -1: there was none
    }

    /** Frees the eventfd; nobody may wait any more. */
    @Override
    public void close() {
        int result = Libc.close(eventFd);
        assert result == 0 : "close of an eventfd failed";
    }

    private static void arm(MemorySegment entry, int fd) {
        pollfd.fd(entry, fd);
        pollfd.events(entry, (short) Libc.POLLIN());
    }

    private static int timeoutMillis(Deadline deadline) {
        if (deadline.unlimited()) {
            return LONGEST_MILLIS;
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(deadline.remainingNanos() + 999_999);
        return Math.clamp(millis, 0, LONGEST_MILLIS);
    }
}
