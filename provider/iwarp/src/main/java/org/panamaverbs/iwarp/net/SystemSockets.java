package org.panamaverbs.iwarp.net;

import java.util.Optional;
import org.panamaverbs.bindings.NativeLibrary;

/** Which ways there are to the system's sockets, and which one suits here. */
public final class SystemSockets {
    private SystemSockets() {}

    /** Returns the sockets of NIO, which every system has. */
    public static Sockets nio() {
        return NioSockets.INSTANCE;
    }

    /**
     * Returns the sockets of the C library.
     *
     * @throws UnsupportedOperationException if it cannot be called here, with the reason and the remedy
     */
    public static Sockets libc() {
        NativeLibrary.LIBC.absence().ifPresent(reason -> {
            throw new UnsupportedOperationException(reason);
        });
        return LibcSockets.INSTANCE;
    }

    /**
     * Returns the sockets of the C library where nothing is in their way, those of NIO elsewhere: nobody shall see a
     * warning about a library that is not needed.
     */
    public static Sockets best() {
        return obstacle().isEmpty() ? LibcSockets.INSTANCE : NioSockets.INSTANCE;
    }

    /**
     * Returns why those of the C library are not taken unless they are asked for, with the remedy where there is one;
     * empty if they are. Nothing native is called as long as access to it is not granted to the bindings and to this
     * module, which both call.
     */
    public static Optional<String> obstacle() {
        return NativeLibrary.LIBC
                .platformMismatch()
                .or(() -> NativeLibrary.missingNativeAccessFlag(SystemSockets.class.getModule())
                        .map(flag -> "sockets by system calls are faster, and need java " + flag))
                .or(NativeLibrary.LIBC::absence);
    }
}
