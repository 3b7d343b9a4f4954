package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.net.LibcCalls;

/** System calls that only a hostile peer makes. */
public final class MemoryFiles {
    private static final MethodHandle OPEN = LibcCalls.handle(
            "open", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle FALLOCATE = LibcCalls.handle(
            "fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG), false);
    private static final MethodHandle MEMFD_CREATE =
            LibcCalls.handle("memfd_create", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT), false);

    private MemoryFiles() {}

    /** Opens a file to be read. */
    static int open(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path.toString());
            return (int) UnixCalls.call(state -> (int) OPEN.invokeExact(state, name.address(), Libc.O_CLOEXEC()));
        }
    }

    /** Calls fallocate for the first {@code bytes}; answers the negative error number if it fails. */
    static long fallocate(int descriptor, int mode, long bytes) {
        return UnixCalls.call(state -> (int) FALLOCATE.invokeExact(state, descriptor, mode, 0L, bytes));
    }

    /** Makes a memory file in huge pages; negative where there are none. */
    static int huge() {
        return create(Libc.MFD_CLOEXEC() | Libc.MFD_ALLOW_SEALING() | Libc.MFD_HUGETLB());
    }

    /** Makes a memory file of {@code bytes} that anybody can cut who has it. */
    public static int unsealed(long bytes) {
        int descriptor = create(Libc.MFD_CLOEXEC() | Libc.MFD_ALLOW_SEALING());
        if (descriptor < 0 || fallocate(descriptor, 0, bytes) != 0) {
            throw new AssertionError("no memory file: " + descriptor);
        }
        return descriptor;
    }

    private static int create(int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom("panama-verbs hostile");
            return (int) UnixCalls.call(state -> (int) MEMFD_CREATE.invokeExact(state, name.address(), flags));
        }
    }
}
