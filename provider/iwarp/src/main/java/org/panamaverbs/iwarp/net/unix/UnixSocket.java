package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.LinuxFiles;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.bindings.libc.pollfd;
import org.panamaverbs.iwarp.net.LibcCalls;
import org.panamaverbs.iwarp.net.LibcDescriptor;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.SocketCalls;

/**
 * A Unix connection that never waits: octets and files one after the other during set-up, then the bell of two rings,
 * whose octets mean nothing but that they came. Used by one thread at a time; {@link #ring}, {@link #drain} and
 * {@link #isPeerGone} allocate nothing.
 */
public final class UnixSocket extends LibcDescriptor {
    /** What {@link #receive} answers at the end of the stream. */
    public static final int END = -1;

    private static final long DRAINED_BYTES = 256;
    // Level-triggered: what is left makes the next wait end at once.
    private static final int MOST_DRAINED = 16;
    private static final short GONE = (short) (Libc.POLLRDHUP() | Libc.POLLHUP() | Libc.POLLERR());

    private final UnixName name;

    private UnixSocket(int descriptor, UnixName name) {
        super(descriptor);
        this.name = name;
    }

    /** Takes {@code descriptor} over, connected at {@code name}; not if it throws. */
    static UnixSocket of(int descriptor, UnixName name) {
        return new UnixSocket(descriptor, name);
    }

    /**
     * Connects now.
     *
     * @throws IOException if nobody listens there, has room for another connection, or lets this user in
     */
    public static UnixSocket connect(UnixName name) throws IOException {
        int descriptor = UnixCalls.socket(Libc.SOCK_STREAM(), name);
        try {
            CallErrors.check("connect", name, UnixCalls.connect(descriptor, name));
            return new UnixSocket(descriptor, name);
        } catch (IOException | RuntimeException | Error e) {
            SocketCalls.close(descriptor);
            throw e;
        }
    }

    /** Returns who has the other end. */
    public PeerUser peerUser() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment credentials = arena.allocate(LinuxFiles.UCRED_BYTES, Integer.BYTES);
            CallErrors.check(
                    "getsockopt(SO_PEERCRED)",
                    name,
                    UnixCalls.peerCredentials(descriptor(), credentials, arena.allocate(JAVA_INT)));
            return new PeerUser(
                    credentials.get(JAVA_INT, LinuxFiles.UCRED_PID), credentials.get(JAVA_INT, LinuxFiles.UCRED_UID));
        }
    }

    // ---- set-up ---------------------------------------------------------------------------------------------------

    /**
     * Sends as much of the buffer as there is room for, and moves its position on.
     *
     * @return the octets
     */
    public int send(ByteBuffer from) throws IOException {
        return FileMessage.send(descriptor(), name, from, SealedFile.NO_DESCRIPTOR);
    }

    /**
     * As {@link #send(ByteBuffer)}, with a file, which goes with the first octet.
     *
     * @param from not empty
     */
    public int send(ByteBuffer from, SealedFile file) throws IOException {
        return FileMessage.send(descriptor(), name, from, file.descriptor());
    }

    /**
     * Receives what is there and fits, and moves the buffer's position on; files that came with it are closed.
     *
     * @return the octets, 0 if there are none, {@link #END} at the end of the stream
     */
    public int receive(ByteBuffer into) throws IOException {
        FileMessage message = receiveWithFile(into);
        message.close();
        return message.octets();
    }

    /**
     * As {@link #receive}, with the file that came with the octets, if any.
     *
     * @throws IOException also if more than one file came: then all are closed
     */
    public FileMessage receiveWithFile(ByteBuffer into) throws IOException {
        return FileMessage.receive(descriptor(), name, into);
    }

    // ---- the bell -------------------------------------------------------------------------------------------------

    /**
     * Sends an octet; if there is no room for it, the peer has others to hear.
     *
     * @throws IOException if the peer is gone
     */
    public void ring() throws IOException {
        LibcCalls calls = LibcCalls.take();
        long result;
        try {
            result = calls.send(descriptor(), calls.small().address(), 1);
        } finally {
            calls.lent = false;
        }
        if (result < 0 && !isTemporary(result)) {
            throw CallErrors.of("send", name, result);
        }
    }

    /**
     * Takes what the peer has rung; other octets are taken by the next call.
     *
     * @return false if the peer is gone and has rung nothing more
     */
    public boolean drain() throws IOException {
        LibcCalls calls = LibcCalls.take();
        long result = DRAINED_BYTES;
        try {
            for (int i = 0; i < MOST_DRAINED && result == DRAINED_BYTES; i++) {
                result = calls.receive(descriptor(), calls.small().address(), DRAINED_BYTES);
            }
        } finally {
            calls.lent = false;
        }
        if (result < 0 && result != -Errno.ECONNRESET && !isTemporary(result)) {
            throw CallErrors.of("recv", name, result);
        }
        return result > 0 || isTemporary(result);
    }

    private static boolean isTemporary(long result) {
        return result == -Errno.EAGAIN || result == -Errno.EINTR;
    }

    /**
     * Tells whether the peer has closed this connection, or {@code lifeLine}, a connection by system calls as well, has
     * ended or has octets. One system call.
     */
    public boolean isPeerGone(Pollable lifeLine) throws IOException {
        LibcCalls calls = LibcCalls.take();
        try {
            MemorySegment list = calls.small();
            watch(list, 0, descriptor(), GONE);
            int other = ((LibcDescriptor) lifeLine).descriptorOrNone();
            // A negative descriptor is passed over.
            watch(list, pollfd.sizeof(), other, (short) (GONE | Libc.POLLIN()));
            long result = UnixCalls.poll(calls, list, 2);
            if (result < 0 && !isTemporary(result)) {
                throw CallErrors.of("poll", name, result);
            }
            return result > 0 || other < 0;
        } finally {
            calls.lent = false;
        }
    }

    private static void watch(MemorySegment list, long at, int descriptor, short events) {
        list.set(JAVA_INT, at + pollfd.fd$offset(), descriptor);
        list.set(JAVA_SHORT, at + pollfd.events$offset(), events);
        list.set(JAVA_SHORT, at + pollfd.revents$offset(), (short) 0);
    }

    @Override
    public void close() {
        closeDescriptor();
    }
}
