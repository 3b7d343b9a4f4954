package org.panamaverbs.iwarp.net;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.bindings.libc.pollfd;

/**
 * A TCP connection by system calls that carries no bytes but those that wake its other end up: they mean nothing but
 * that they came. Its end tells that the peer is gone. Nothing here waits or allocates. Used by one thread at a time.
 */
public final class Bell {
    // A thread that polls looks too seldom for the call to be compiled: with errno each one would allocate.
    private static final MethodHandle POLL =
            LibcCalls.withoutErrno("poll", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final long DRAINED_BYTES = 256;
    // Level-triggered: what is left makes the next wait end at once.
    private static final int MOST_DRAINED = 16;
    private static final short GONE = (short) (Libc.POLLRDHUP() | Libc.POLLHUP() | Libc.POLLERR());

    private final LibcDescriptor socket;

    private Bell(LibcDescriptor socket) {
        this.socket = socket;
    }

    /**
     * Returns the bell that {@code socket} is, which stays the caller's to close.
     *
     * @throws IllegalArgumentException if it is no socket by system calls
     */
    public static Bell of(TcpSocket socket) {
        if (socket instanceof LibcDescriptor descriptor) {
            return new Bell(descriptor);
        }
        throw new IllegalArgumentException("a wakeup needs a socket of system calls, got " + socket);
    }

    /**
     * Rings.
     *
     * @return false if there was no room or no memory for it: it has to be repeated when the socket has room
     * @throws IOException if the peer is gone
     */
    public boolean ring() throws IOException {
        LibcCalls calls = LibcCalls.take();
        long result;
        try {
            calls.small().set(JAVA_BYTE, 0, (byte) 0);
            result = calls.send(socket.descriptor(), calls.small().address(), 1);
        } finally {
            calls.giveBack();
        }
        if (result < 0 && !isTemporary(result)) {
            throw LibcErrors.of("send", (int) -result);
        }
        return result == 1;
    }

    /**
     * Takes what the peer has rung; what is left then is taken by the next call.
     *
     * @return false if the peer is gone and has rung nothing more
     */
    public boolean drain() throws IOException {
        LibcCalls calls = LibcCalls.take();
        long result = DRAINED_BYTES;
        try {
            for (int i = 0; i < MOST_DRAINED && result == DRAINED_BYTES; i++) {
                result = calls.receive(socket.descriptor(), calls.small().address(), DRAINED_BYTES);
            }
        } finally {
            calls.giveBack();
        }
        if (result < 0 && result != -Libc.ECONNRESET() && !isTemporary(result)) {
            throw LibcErrors.of("recv", (int) -result);
        }
        return result > 0 || isTemporary(result);
    }

    /** Tells whether the peer has ended the connection, also if there is something to drain before. One system call. */
    public boolean isPeerGone() {
        return isPeerGone(socket);
    }

    /** Tells whether the peer has ended the connection of {@code socket}, or it is closed here. One system call. */
    public static boolean isPeerGone(LibcDescriptor socket) {
        int descriptor = socket.descriptorOrNone();
        if (descriptor < 0) {
            return true;
        }
        LibcCalls calls = LibcCalls.take();
        try {
            MemorySegment look = calls.small();
            look.set(JAVA_INT, pollfd.fd$offset(), descriptor);
            look.set(JAVA_SHORT, pollfd.events$offset(), GONE);
            look.set(JAVA_SHORT, pollfd.revents$offset(), (short) 0);
            return (int) POLL.invokeExact(look.address(), 1L, 0) > 0;
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        } finally {
            calls.giveBack();
        }
    }

    private static boolean isTemporary(long result) {
        return result == -Libc.EAGAIN()
                || result == -Libc.EINTR()
                || result == -Libc.ENOBUFS()
                || result == -Libc.ENOMEM();
    }
}
