package org.panamaverbs.iwarp.net.unix;

import java.io.IOException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.net.LibcDescriptor;
import org.panamaverbs.iwarp.net.SocketCalls;

/**
 * A Unix socket that listens. Whoever connects can send bytes at once, and files once {@link UnixSocket#takeFiles} is
 * called. Used by one thread at a time.
 */
public final class UnixServer extends LibcDescriptor {
    private static final int OWNERS = 0600;

    private final UnixName name;

    private UnixServer(int descriptor, UnixName name) {
        super(descriptor);
        this.name = name;
    }

    /**
     * Begins to listen. The file of a path is the caller's to remove; nobody but this user may connect to it.
     *
     * @param backlog connections that the system keeps until they are accepted
     * @throws IOException if the name is taken, or the system refuses
     */
    public static UnixServer listen(UnixName name, int backlog) throws IOException {
        return listen(name, backlog, CallErrors::remedy);
    }

    /** As the other, where {@code remedy} says what helps if the name cannot be had. */
    static UnixServer listen(UnixName name, int backlog, IntFunction<String> remedy) throws IOException {
        int descriptor = UnixCalls.socket(Libc.SOCK_STREAM(), name);
        try {
            // Anybody may come: who that is shows when it is accepted.
            UnixCalls.passRights(descriptor, false);
            CallErrors.check("fchmod", name, UnixCalls.mode(descriptor, OWNERS));
            CallErrors.check("bind", name, UnixCalls.bind(descriptor, name), remedy);
            SocketCalls.listen(descriptor, backlog);
            return new UnixServer(descriptor, name);
        } catch (IOException | RuntimeException | Error e) {
            SocketCalls.close(descriptor);
            throw e;
        }
    }

    /** Returns the name that it listens at. */
    public UnixName name() {
        return name;
    }

    /** Returns the next connection, null if there is none now. */
    public @Nullable UnixSocket accept() throws IOException {
        long result = next(descriptor());
        if (result == -Errno.EAGAIN) {
            return null;
        }
        int accepted = (int) CallErrors.check("accept", name, result);
        try {
            return UnixSocket.of(accepted, name);
        } catch (IOException | RuntimeException | Error e) {
            UnixSocket.close(accepted);
            throw e;
        }
    }

    private static long next(int descriptor) {
        long result = UnixCalls.accept(descriptor);
        while (result == -Errno.EINTR || result == -Libc.ECONNABORTED()) {
            result = UnixCalls.accept(descriptor);
        }
        return result;
    }

    /** Closes the socket, and the connections that nobody has accepted. */
    @Override
    public void close() {
        closeDescriptor(UnixServer::close);
    }

    private static void close(int open) {
        boolean empty = false;
        try {
            UnixCalls.shutDown(open);
            long next = next(open);
            for (; next >= 0; next = next(open)) {
                UnixSocket.close((int) next);
            }
            // None is left, and none comes to a socket that was shut down. Any other error, as that this process may
            // have no more descriptors, leaves some.
            empty = next == -Errno.EAGAIN || next == -Errno.EINVAL;
        } finally {
            if (empty) {
                SocketCalls.close(open);
            } else {
                // What is in them may be descriptors, which are closed with it.
                DescriptorCloser.close(open);
            }
        }
    }
}
