package org.panamaverbs.iwarp.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.bindings.Architecture;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.spi.support.DeferredLog;

/**
 * Has one thread at a time sleep until a word of several changes, of memory that it shares with other processes, or
 * until {@link #wakeup} of any thread: man page futex(2), and futex_waitv of Linux 5.16. Who changes a word calls
 * {@link #wake} behind it. Allocates nothing but in the constructor; a virtual thread keeps its carrier.
 *
 * <p>The thread calls {@link #begin}, looks whether it has to sleep at all, {@linkplain #add adds} the words, looks at
 * what they stand for, and calls {@link #sleep}; both looks find what changed before, and the sleep ends by what
 * changes behind them.
 */
public final class FutexWaiter {
    /** The most words of one sleep. */
    public static final int MOST_WORDS = 16;

    // linux/futex.h
    private static final int FUTEX_WAKE = 1;
    private static final int FUTEX_PRIVATE_FLAG = 128;
    private static final int FUTEX2_SIZE_U32 = 2;
    // asm/unistd_64.h of x86-64, asm-generic/unistd.h of aarch64; younger calls have the same number on both.
    private static final long SYS_FUTEX = Architecture.CURRENT == Architecture.AARCH64 ? 98 : 202;
    private static final long SYS_FUTEX_WAITV = 449;
    // time.h
    private static final int CLOCK_MONOTONIC = 1;
    // asm-generic/errno-base.h: the memory of a word was unmapped meanwhile.
    private static final int EFAULT = 14;

    private static final VarHandle WORD = JAVA_INT.varHandle();

    // The own word, a struct timespec, and the structs futex_waitv: u64 val, u64 uaddr, u32 flags, u32 reserved.
    private static final long WORD_OFFSET = 0;
    private static final long TIME_OFFSET = 8;
    private static final long VECTOR_OFFSET = 24;
    private static final long ENTRY_BYTES = 24;
    private static final long ENTRY_ADDRESS = 8;
    private static final long ENTRY_FLAGS = 16;

    // There are handles: nothing native is linked before somebody prepares for it, and not where that fails.
    private static volatile boolean prepared;
    // For ever: no handles could be linked, or the system has refused a sleep (an older kernel, a filter of calls).
    private static volatile boolean refused;

    // Not a constant for the compiler; see LibcCalls.
    private final MethodHandle waitv = Calls.WAITV;
    private final LibcCalls calls = new LibcCalls();
    private final MemorySegment memory =
            Arena.ofAuto().allocate(VECTOR_OFFSET + (1 + MOST_WORDS) * ENTRY_BYTES, Long.BYTES);
    // What the own word was when the thread looked last; count is of the words, with the own one.
    private int seen;
    private int count = 1;

    private volatile boolean sleeping;

    /** The functions; to be touched by {@link #prepare} first. */
    private static final class Calls {
        static final MethodHandle WAITV = LibcCalls.handle("syscall", 1);
        static final MethodHandle CLOCK = LibcCalls.handle("clock_gettime");
        // A wake-up may be too rare to be compiled: with errno each one would allocate.
        static final MethodHandle WAKE = LibcCalls.withoutErrno(
                "syscall",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT),
                Linker.Option.firstVariadicArg(1));

        private Calls() {}

        static void load() {
            // Its initializer has linked them.
        }
    }

    /**
     * Links what sleeps and wake-ups call, once; before that, and where it fails, nothing is {@linkplain #isUsable
     * usable} and {@link #wake} answers false. To be called where the C library's sockets are in use.
     */
    public static void prepare() {
        if (prepared || refused) {
            return;
        }
        try {
            Calls.load();
            prepared = true;
        } catch (LinkageError | OutOfMemoryError e) {
            // An initializer that fails does so for ever: there are bells instead.
            refused = true;
            DeferredLog.log(FutexWaiter.class, System.Logger.Level.DEBUG, "futex(2) is not used", e);
        }
    }

    /** Tells whether a waiter can be made: it was {@linkplain #prepare prepared}, and the system refused no sleep. */
    public static boolean isUsable() {
        return prepared && !refused;
    }

    /** Begins: {@link #wakeup} behind this ends the next sleep. */
    public void begin() {
        seen = (int) WORD.getVolatile(memory, WORD_OFFSET);
        count = 1;
    }

    /** Forgets the words that were added. */
    public void clear() {
        count = 1;
    }

    /**
     * Adds the word of 32 bits at {@code address}, at which the next sleep does not begin unless it is {@code value}.
     *
     * @return false if there are {@link #MOST_WORDS}
     */
    public boolean add(long address, int value) {
        if (count > MOST_WORDS) {
            return false;
        }
        entry(count++, address, value, FUTEX2_SIZE_U32);
        return true;
    }

    private void entry(int index, long address, int value, int flags) {
        long at = VECTOR_OFFSET + index * ENTRY_BYTES;
        memory.set(JAVA_LONG, at, Integer.toUnsignedLong(value));
        memory.set(JAVA_LONG, at + ENTRY_ADDRESS, address);
        memory.set(JAVA_INT, at + ENTRY_FLAGS, flags);
    }

    /**
     * Sleeps for at most so long, and begins again; may return early.
     *
     * @return false if the system refuses, so that the thread has not slept
     */
    public boolean sleep(long nanos) {
        entry(0, memory.address() + WORD_OFFSET, seen, FUTEX2_SIZE_U32 | FUTEX_PRIVATE_FLAG);
        until(nanos);
        long result;
        sleeping = true;
        try {
            result = calls.call(
                    waitv,
                    SYS_FUTEX_WAITV,
                    memory.address() + VECTOR_OFFSET,
                    count,
                    0,
                    memory.address() + TIME_OFFSET,
                    CLOCK_MONOTONIC);
        } finally {
            sleeping = false;
        }
        begin();
        return result >= 0 || isOfOneSleep((int) -result);
    }

    private static boolean isOfOneSleep(int error) {
        if (error == Libc.ENOSYS() || error == Libc.EPERM()) {
            refused = true;
        }
        return error == Libc.EAGAIN() || error == Libc.ETIMEDOUT() || error == Libc.EINTR() || error == EFAULT;
    }

    private void until(long nanos) {
        long time = memory.address() + TIME_OFFSET;
        calls.callInt(Calls.CLOCK, CLOCK_MONOTONIC, time, 0);
        long end = memory.get(JAVA_LONG, TIME_OFFSET + Long.BYTES) + nanos;
        long seconds = end / TimeUnit.SECONDS.toNanos(1);
        memory.set(JAVA_LONG, TIME_OFFSET, memory.get(JAVA_LONG, TIME_OFFSET) + seconds);
        memory.set(JAVA_LONG, TIME_OFFSET + Long.BYTES, end - TimeUnit.SECONDS.toNanos(seconds));
    }

    /** Ends the sleep under way, or the next one. Any thread. */
    public void wakeup() {
        WORD.getAndAdd(memory, WORD_OFFSET, 1);
        // Not taken back here: another thread's may come before this one has woken anybody, in the next sleep.
        if (sleeping) {
            wake(memory.address() + WORD_OFFSET, FUTEX_WAKE | FUTEX_PRIVATE_FLAG);
        }
    }

    /**
     * Wakes a thread that sleeps at the word at {@code address}, of memory that processes share, which was changed
     * before; false if the system refuses, or nothing was {@linkplain #prepare prepared}. No more than one: a peer that
     * has thousands sleep there keeps nobody busy.
     */
    public static boolean wake(long address) {
        return prepared && wake(address, FUTEX_WAKE);
    }

    private static boolean wake(long address, int operation) {
        try {
            return (long) Calls.WAKE.invokeExact(SYS_FUTEX, address, operation, 1) >= 0;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }
}
