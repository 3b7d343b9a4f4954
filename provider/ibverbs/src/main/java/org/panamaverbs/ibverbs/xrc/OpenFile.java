package org.panamaverbs.ibverbs.xrc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.nio.file.Path;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.call.Failure;

/** A file that is open to be read, for the length of a call that names it by its descriptor. */
record OpenFile(int descriptor) implements AutoCloseable {
    // int open(const char *pathname, int flags, ...)
    private static final Call OPEN = Call.of(
            NativeLibrary.LIBC,
            "open",
            () -> FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    private static final Call CLOSE = Call.of(NativeLibrary.LIBC, "close", Libc::close$descriptor);

    /**
     * Opens {@code file}.
     *
     * @throws org.panamaverbs.api.ResourceException if it cannot be opened
     */
    static OpenFile of(Path file) {
        try (Arena scratch = Arena.ofConfined()) {
            int descriptor = OPEN.number(scratch.allocateFrom(file.toString()), Libc.O_CLOEXEC());
            if (descriptor < 0) {
                throw Failure.of("open", file.toString(), -descriptor, "name a file that exists and is readable");
            }
            return new OpenFile(descriptor);
        }
    }

    @Override
    public void close() {
        CLOSE.number(descriptor); // whose errors mean nothing: it was not written
    }
}
