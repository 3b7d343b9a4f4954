package org.panamaverbs.cli.perf.compiler;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The compilers of this virtual machine, which make fast what runs often: it is so when they have nothing more to do. A
 * look reads some files and takes well below a millisecond. Used by one thread.
 *
 * <p>On Linux a look sees what their threads have used of processors. Elsewhere it sees what
 * {@link CompilationMXBean#getTotalCompilationTime} says, in which a compilation counts when it ends: there one of
 * seconds is taken for idleness. A virtual machine without compilers is always idle.
 */
public final class Compilers {
    private static final Path TASKS = Path.of("/proc/self/task");

    private final LongSupplier source;
    private final IdleSecond idleSecond = new IdleSecond();

    private Compilers(LongSupplier source) {
        this.source = source;
    }

    /** Returns the compilers of this virtual machine, at which nobody has looked yet. */
    public static Compilers ofThisVirtualMachine() {
        Optional<CompilerThreads> threads = CompilerThreads.below(TASKS);
        return new Compilers(
                threads.isPresent() ? threads.get()::busyNanos : finished(ManagementFactory.getCompilationMXBean()));
    }

    private static LongSupplier finished(@Nullable CompilationMXBean bean) {
        return bean == null || !bean.isCompilationTimeMonitoringSupported()
                ? () -> 0
                : () -> TimeUnit.MILLISECONDS.toNanos(bean.getTotalCompilationTime());
    }

    /** Returns for how long they have worked, in nanoseconds of a processor; it never falls. */
    public long busyNanos() {
        return source.getAsLong();
    }

    /**
     * Looks, and tells whether they have been idle for the last second, in which they worked less than a twentieth of
     * it. Asked again and again, at least some times a second; false until a second after it was asked first.
     */
    public boolean idleForASecond() {
        return idleSecond.ends(System.nanoTime(), busyNanos());
    }
}
