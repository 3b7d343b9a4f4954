package org.panamaverbs.disni;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.panamaverbs.bindings.Downcalls;

/** Binds the calling thread to processors, by {@code sched_setaffinity(2)} where there is one. */
public final class ThreadAffinity {
    private static final int CALLING_THREAD = 0;
    private static final long MASK_BYTES = 1024; // CPU_SETSIZE of glibc is 1024 bits; kernels want no less than theirs
    private static final Optional<MethodHandle> SET = find("sched_setaffinity");
    private static final Optional<MethodHandle> GET = find("sched_getaffinity");

    private ThreadAffinity() {}

    /** Binds the calling thread to the processors of {@code mask}; nothing changes where that is not possible. */
    public static void set(long mask) {
        SET.ifPresent(handle -> call(handle, mask));
    }

    /** Returns the mask of the first 64 processors that the calling thread may run on, 0 where it cannot be had. */
    public static long get() {
        return GET.map(handle -> call(handle, 0)).orElse(0L);
    }

    private static long call(MethodHandle handle, long mask) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(MASK_BYTES, Long.BYTES);
            set.set(JAVA_LONG, 0, mask);
            int result = (int) handle.invokeExact(CALLING_THREAD, MASK_BYTES, set);
            return result < 0 ? 0 : set.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private static Optional<MethodHandle> find(String name) {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            return Optional.empty();
        }
        try {
            Linker linker = Linker.nativeLinker();
            Downcalls libc = new Downcalls(
                    "the C library",
                    linker.defaultLookup(),
                    (function, shape, options) -> linker.downcallHandle(function, shape, options));
            return Optional.of(libc.plain(name, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS)));
        } catch (UnsupportedOperationException | IllegalCallerException e) {
            // No such call, or native access is denied: threads stay where the system puts them.
            return Optional.empty();
        }
    }
}
