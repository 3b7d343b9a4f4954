package org.panamaverbs.ibverbs.call;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import org.panamaverbs.bindings.Downcalls;

/** {@code errno} of this thread, which a call leaves as it was where it fails and does not say why. Any thread. */
final class LastErrno {
    // errno.h of glibc and musl: errno is *__errno_location()
    private static final MethodHandle LOCATION = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker()
                            .defaultLookup()
                            .find("__errno_location")
                            .orElseThrow(),
                    FunctionDescriptor.of(JAVA_LONG));

    private LastErrno() {}

    /** Sets errno to 0, for a call that is made next. */
    static void clear() {
        try {
            RawMemory.putInt((long) LOCATION.invokeExact(), 0);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }
}
