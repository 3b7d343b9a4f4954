package org.panamaverbs.bindings;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Asks the dynamic linker why it does not open a library, which {@code SymbolLookup} keeps to itself. */
final class DynamicLinker {
    // bits/dlfcn.h: RTLD_LAZY
    private static final int RTLD_LAZY = 1;

    private final MethodHandle dlopen;
    private final MethodHandle dlerror;

    DynamicLinker() {
        Downcalls libc = new Downcalls(
                "the C library",
                Linker.nativeLinker().defaultLookup(),
                (function, shape, options) -> Linker.nativeLinker().downcallHandle(function, shape, options));
        dlopen = libc.plain("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
        dlerror = libc.plain("dlerror", FunctionDescriptor.of(ADDRESS));
    }

    /** The text of dlerror(3) after an attempt to open {@code fileName}. */
    String openError(String fileName) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(fileName);
            MemorySegment library = (MemorySegment) dlopen.invokeExact(name, RTLD_LAZY);
            // dlerror(3): the text is per thread and stands until the thread's next dl call.
            MemorySegment text = (MemorySegment) dlerror.invokeExact();
            return library.address() != 0 || text.address() == 0
                    ? "no reason given"
                    : text.reinterpret(Long.MAX_VALUE).getString(0);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Whether that text says that the library's own file is missing, rather than one it needs, or something else. */
    static boolean saysFileIsMissing(String error, String fileName) {
        return error.startsWith(fileName + ": ") && error.endsWith("No such file or directory");
    }
}
