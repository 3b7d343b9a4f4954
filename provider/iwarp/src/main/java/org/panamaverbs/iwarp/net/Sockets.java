package org.panamaverbs.iwarp.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.panamaverbs.bindings.NativeLibrary;

/** The system's TCP sockets, reached in one way. Safe for use by any thread. */
public interface Sockets {
    /** Returns those of NIO, which every system has. */
    static Sockets nio() {
        return NioSockets.INSTANCE;
    }

    /**
     * Returns those of the C library.
     *
     * @throws UnsupportedOperationException if it cannot be called here, with the reason and the remedy
     */
    static Sockets libc() {
        NativeLibrary.LIBC.absence().ifPresent(reason -> {
            throw new UnsupportedOperationException(reason);
        });
        return LibcSockets.INSTANCE;
    }

    /**
     * Returns those of the C library where nothing is in their way, those of NIO elsewhere: nobody shall see a warning
     * about a library that is not needed.
     */
    static Sockets best() {
        return obstacle().isEmpty() ? LibcSockets.INSTANCE : NioSockets.INSTANCE;
    }

    /**
     * Returns why those of the C library are not taken unless they are asked for, with the remedy where there is one;
     * empty if they are. Nothing native is called as long as access to it is not granted to the bindings and to this
     * module, which both call.
     */
    static Optional<String> obstacle() {
        if (!NativeLibrary.fitsPlatform()) {
            return Optional.of("system calls are bound for Linux on x86-64 only");
        }
        return NativeLibrary.missingNativeAccessFlag(Sockets.class.getModule())
                .map(flag -> "sockets by system calls are faster and need java " + flag)
                .or(NativeLibrary.LIBC::absence);
    }

    /** Returns its name: {@code libc} or {@code nio}. */
    String name();

    /** Opens what waits for them. */
    Poller poller() throws IOException;

    /** Opens a socket to connect with. */
    TcpSocket open(boolean ipv6) throws IOException;

    /**
     * Opens a socket that listens; at the wildcard address of either family it listens for both.
     *
     * @param backlog how many connections the system may keep until they are accepted
     * @param reuseAddress whether the address may be one that connections are still in TIME-WAIT at
     */
    TcpServer listen(InetSocketAddress local, int backlog, boolean reuseAddress) throws IOException;
}
