package org.panamaverbs.ibverbs.call;

import java.lang.foreign.Linker;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.bindings.NativeLibrary;

/** The libraries' functions, linked for this module. */
final class Libraries {
    static final Downcalls IBVERBS = of(NativeLibrary.IBVERBS);
    static final Downcalls RDMACM = of(NativeLibrary.RDMACM);

    private Libraries() {}

    /** Returns the functions of {@code library}. */
    static Downcalls of(NativeLibrary library) {
        return new Downcalls(
                library.toString(),
                library.lookup(),
                (function, shape, options) -> Linker.nativeLinker().downcallHandle(function, shape, options));
    }
}
