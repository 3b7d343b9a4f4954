package org.panamaverbs.ibverbs.call;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.NativeLibrary;

/**
 * A control call of a native library, with errno. The symbol is looked up at the first call, so that an old library
 * lacks only what it lacks. Safe for use by any thread; allocates, and is not for the data path.
 */
public final class Call {
    private final String name;
    private final NativeLibrary library;
    // Asked for at the first call: the class that holds it is not loaded for a function that is never called.
    private final Supplier<FunctionDescriptor> descriptor;
    private volatile @Nullable MethodHandle handle;

    private final Linker.Option[] options;

    private Call(
            NativeLibrary library, String name, Supplier<FunctionDescriptor> descriptor, Linker.Option... options) {
        this.library = library;
        this.name = name;
        this.descriptor = descriptor;
        this.options = options;
    }

    /** Describes the function {@code name} of {@code library}; nothing is looked up yet. */
    public static Call of(
            NativeLibrary library, String name, Supplier<FunctionDescriptor> descriptor, Linker.Option... options) {
        return new Call(library, name, descriptor, options);
    }

    /** Returns a call through the function pointer {@code address}. */
    public static Call at(MemorySegment address, String name, FunctionDescriptor descriptor) {
        Call call = new Call(NativeLibrary.IBVERBS, name, () -> descriptor);
        call.handle = Libraries.IBVERBS.withErrno(address, descriptor);
        return call;
    }

    /** Returns the function's name. */
    public String name() {
        return name;
    }

    /** Tells whether the installed library has the function. */
    public boolean isPresent() {
        return handle != null || library.lookup().find(name).isPresent();
    }

    /**
     * Calls a function that returns a pointer.
     *
     * @param object what it is about, for the message of a failure
     * @return the pointer, never null
     * @throws org.panamaverbs.api.ResourceException if it returned NULL
     */
    public MemorySegment pointer(String object, Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Errno.CAPTURE_LAYOUT);
            LastErrno.clear(); // some drivers return NULL and say nothing of why
            MemorySegment result = (MemorySegment) invoke(state, arguments);
            if (result.address() == 0) {
                int errno = Errno.captured(state);
                throw Failure.of(name, object, errno == 0 ? Errno.EOPNOTSUPP : errno);
            }
            return result;
        }
    }

    /**
     * Calls a function that returns 0, or an error number, or -1 and sets errno.
     *
     * @return 0, or the error number
     */
    public int status(Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Errno.CAPTURE_LAYOUT);
            int result = (int) invoke(state, arguments);
            return result >= 0 ? result : failure(result, state);
        }
    }

    /** Returns the error number of a negative answer: errno after -1, else the number that some drivers negate. */
    private static int failure(int result, MemorySegment state) {
        int errno = result == -1 ? Errno.captured(state) : -result;
        return errno > 0 ? errno : Errno.EIO;
    }

    /**
     * Calls a function that returns 0, or an error number, or -1 and sets errno.
     *
     * @param object what it is about, for the message of a failure
     * @throws org.panamaverbs.api.ResourceException if it returned anything but 0
     */
    public void check(String object, Object... arguments) {
        int errno = status(arguments);
        if (errno != 0) {
            throw Failure.of(name, object, errno);
        }
    }

    /** Calls a function that returns a number from 0, or -1 and sets errno: then returns the error number negated. */
    public int number(Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Errno.CAPTURE_LAYOUT);
            int result = (int) invoke(state, arguments);
            return result >= 0 ? result : -failure(result, state);
        }
    }

    /**
     * What a function has returned that has codes of its own beside errno.
     *
     * @param value as it is
     * @param errno as it was afterwards, whatever the value
     */
    public record Answer(int value, int errno) {}

    /** Calls a function that returns a code of its own, and sets errno. */
    public Answer answer(Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Errno.CAPTURE_LAYOUT);
            int result = (int) invoke(state, arguments);
            return new Answer(result, Errno.captured(state));
        }
    }

    /** Calls a function that returns nothing. */
    public void run(Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            Object nothing = invoke(arena.allocate(Errno.CAPTURE_LAYOUT), arguments);
            assert nothing == null : name + " returned " + nothing;
        }
    }

    private Object invoke(MemorySegment state, Object... arguments) {
        Object[] all = new Object[arguments.length + 1];
        all[0] = state;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        try {
            return handle().invokeWithArguments(all);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private MethodHandle handle() {
        MethodHandle found = handle;
        if (found == null) {
            MemorySegment address = library.lookup().find(name).orElseThrow(this::missing);
            found = Libraries.of(library).withErrno(address, descriptor.get(), options);
            handle = found;
        }
        return found;
    }

    private UnsupportedOperationException missing() {
        return new UnsupportedOperationException(library.absence()
                .orElse(library + " lacks " + name + "; remedy: install a newer rdma-core (apt install, dnf update)"));
    }
}
