package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.panamaverbs.bindings.LinuxFiles;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.net.Bell;
import org.panamaverbs.iwarp.net.LibcDescriptor;
import org.panamaverbs.iwarp.net.SocketCalls;

/**
 * A Unix connection that never waits: bytes, and files with them once they are {@linkplain #takeFiles taken}. Used by
 * one thread at a time.
 */
public final class UnixSocket extends LibcDescriptor {
    /** What {@link #receive} answers at the end of the stream. */
    public static final int END = -1;

    private final UnixName name;

    private UnixSocket(int descriptor, UnixName name) {
        super(descriptor);
        this.name = name;
    }

    /** Takes {@code descriptor} over, connected at {@code name}; not if it throws. */
    static UnixSocket of(int descriptor, UnixName name) throws IOException {
        CallErrors.check("setsockopt(SO_OOBINLINE)", name, UnixCalls.takeUrgentInTurn(descriptor));
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
            UnixCalls.passRights(descriptor, false);
            CallErrors.check("connect", name, UnixCalls.connect(descriptor, name));
            return of(descriptor, name);
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

    /**
     * Lets the peer send files from now on. Before, its system refuses to, where that can be asked for (Linux 6.16 and
     * later); elsewhere they come and are closed.
     */
    public void takeFiles() throws IOException {
        UnixCalls.passRights(descriptor(), true);
    }

    // ---- set-up ---------------------------------------------------------------------------------------------------

    /**
     * Sends as much of the buffer as there is room for, and moves its position on.
     *
     * @return the bytes
     */
    public int send(ByteBuffer from) throws IOException {
        return FileMessage.send(descriptor(), name, from, SealedFile.NO_DESCRIPTOR);
    }

    /**
     * As {@link #send(ByteBuffer)}, with a file, which goes with the first byte.
     *
     * @param from not empty
     */
    public int send(ByteBuffer from, SealedFile file) throws IOException {
        return FileMessage.send(descriptor(), name, from, file.descriptor());
    }

    /**
     * As {@link #send(ByteBuffer)}, with the file of a descriptor, which stays the caller's.
     *
     * @param from not empty
     */
    public int send(ByteBuffer from, int file) throws IOException {
        return FileMessage.send(descriptor(), name, from, file);
    }

    /** Tells whether the peer has ended the connection, or it is closed here; any thread that keeps it from that. */
    public boolean isPeerGone() {
        return Bell.isPeerGone(this);
    }

    /**
     * Receives what is there and fits, and moves the buffer's position on; files that came with it are closed.
     *
     * @return the bytes, 0 if there are none, {@link #END} at the end of the stream
     */
    public int receive(ByteBuffer into) throws IOException {
        FileMessage message = FileMessage.receive(descriptor(), name, into);
        message.close();
        return message.octets();
    }

    /**
     * As {@link #receive}, with the file that came with the bytes, if any.
     *
     * @throws IOException also if more than one file came: then all are closed; or if too many wait to be closed
     *     already: then nothing is received
     */
    public FileMessage receiveWithFile(ByteBuffer into) throws IOException {
        if (DescriptorCloser.isFull()) {
            throw new IOException("recvmsg of " + name + ": " + DescriptorCloser.FULL);
        }
        return FileMessage.receive(descriptor(), name, into);
    }

    /** Closes the connection, at once unless the peer has sent something that nobody has received. */
    @Override
    public void close() {
        closeDescriptor(UnixSocket::close);
    }

    /** Closes the connection {@code open}, as {@link #close()}. */
    static void close(int open) {
        boolean empty = false;
        try {
            UnixCalls.shutDown(open);
            empty = UnixCalls.takeUrgentInTurn(open) >= 0 && UnixCalls.isEmpty(open);
        } finally {
            if (empty) {
                SocketCalls.close(open);
            } else {
                // It may be descriptors, which are closed with it.
                DescriptorCloser.close(open);
            }
        }
    }
}
