package org.panamaverbs.bindings;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * The functions of one library, linked for one module: handles with errno or without it, and what becomes of what a
 * handle throws. Any thread.
 *
 * <p>Each module links by a function of its own. So it is that module that needs native access, and nobody can call C
 * through this class who could not without it.
 *
 * <p>A handle belongs into a {@code static final} field, where the compiler takes it for a constant. A handle with
 * errno takes a segment of {@link Errno#CAPTURE_LAYOUT} first, which belongs to the caller and serves one thread at a
 * time.
 *
 * <pre>{@code
 * private static final Downcalls LIBC = new Downcalls("the C library", Linker.nativeLinker().defaultLookup(),
 *         (function, shape, options) -> Linker.nativeLinker().downcallHandle(function, shape, options));
 * private static final MethodHandle CLOSE = LIBC.withErrno("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
 *
 * int close(MemorySegment state, int descriptor) {
 *     try {
 *         return (int) CLOSE.invokeExact(state, descriptor) == 0 ? 0 : Errno.captured(state);
 *     } catch (Throwable e) {
 *         throw Downcalls.unexpected(e);
 *     }
 * }
 * }</pre>
 */
public final class Downcalls {
    private final String library;
    private final SymbolLookup symbols;
    private final Linkage linkage;

    /** How a module links: {@link Linker#downcallHandle(MemorySegment, FunctionDescriptor, Linker.Option...)}. */
    @FunctionalInterface
    public interface Linkage {
        /** Returns the handle of {@code function}, which must be called in the module that needs native access. */
        MethodHandle handle(MemorySegment function, FunctionDescriptor shape, Linker.Option... options);
    }

    /**
     * Describes a library; nothing is looked up yet.
     *
     * @param library what it is called where it lacks something
     * @param symbols where its functions are found
     * @param linkage how the module that calls them links
     */
    public Downcalls(String library, SymbolLookup symbols, Linkage linkage) {
        this.library = library;
        this.symbols = symbols;
        this.linkage = linkage;
    }

    /**
     * Returns a handle of the function {@code name}.
     *
     * @throws UnsupportedOperationException if the library lacks it
     * @throws IllegalCallerException if native access is denied to the module
     */
    public MethodHandle plain(String name, FunctionDescriptor shape, Linker.Option... options) {
        return linkage.handle(function(name), shape, options);
    }

    /**
     * Returns a handle of the function {@code name} that stores errno in its first argument.
     *
     * @throws UnsupportedOperationException if the library lacks it
     * @throws IllegalCallerException if native access is denied to the module
     */
    public MethodHandle withErrno(String name, FunctionDescriptor shape, Linker.Option... options) {
        return withErrno(function(name), shape, options);
    }

    /**
     * Returns a handle of the function at {@code function} that stores errno in its first argument.
     *
     * @throws IllegalCallerException if native access is denied to the module
     */
    public MethodHandle withErrno(MemorySegment function, FunctionDescriptor shape, Linker.Option... options) {
        Linker.Option[] all = new Linker.Option[options.length + 1];
        all[0] = Errno.capture();
        System.arraycopy(options, 0, all, 1, options.length);
        return linkage.handle(function, shape, all);
    }

    private MemorySegment function(String name) {
        return symbols.find(name).orElseThrow(() -> new UnsupportedOperationException(library + " has no " + name));
    }

    /**
     * Returns what a handle threw, to be thrown on. C throws nothing: it is an error of the machine such as the end of
     * the stack, which this method throws itself, or an argument of ours, such as memory that was closed meanwhile.
     */
    public static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked
                ? unchecked
                : new IllegalStateException("a downcall threw", thrown);
    }
}
