package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.bindings.libc.cmsghdr;
import org.panamaverbs.bindings.libc.iovec;
import org.panamaverbs.bindings.libc.msghdr;

/**
 * What one call has received: bytes, and perhaps a file with them, which belongs to who has this until it is closed or
 * mapped.
 *
 * @param octets 0 if there are none, {@link UnixSocket#END} at the end of the stream
 * @param file null if none came
 */
public record FileMessage(int octets, @Nullable ReceivedFile file) implements AutoCloseable {
    private static final long HEADER_BYTES = cmsghdr.sizeof();
    // More than one is refused. SCM_MAX_FD of the kernel's net/scm.h:
    // what has no room here is closed by the system, on this thread.
    private static final int MOST_DESCRIPTORS = 253;
    private static final long CONTROL_BYTES = HEADER_BYTES + MOST_DESCRIPTORS * (long) Integer.BYTES;
    private static final int NONE = -1;

    /** Sends of {@code from} and, unless it is negative, {@code file} with the first byte. */
    static int send(int descriptor, UnixName name, ByteBuffer from, int file) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment octets = arena.allocate(Math.max(1, from.remaining()));
            MemorySegment.copy(MemorySegment.ofBuffer(from), 0, octets, 0, from.remaining());
            MemorySegment message = message(arena, octets, from.remaining());
            if (file >= 0) {
                MemorySegment control = arena.allocate(align(HEADER_BYTES + Integer.BYTES), Long.BYTES);
                cmsghdr.cmsg_len(control, HEADER_BYTES + Integer.BYTES);
                cmsghdr.cmsg_level(control, Libc.SOL_SOCKET());
                cmsghdr.cmsg_type(control, Libc.SCM_RIGHTS());
                control.set(JAVA_INT, HEADER_BYTES, file);
                msghdr.msg_control(message, control);
                msghdr.msg_controllen(message, control.byteSize());
            }
            long result = UnixCalls.send(descriptor, message);
            if (isTemporary(result)) {
                return 0;
            }
            int sent = (int) CallErrors.check("sendmsg", name, result);
            from.position(from.position() + sent);
            return sent;
        }
    }

    /** Receives into {@code into}. */
    static FileMessage receive(int descriptor, UnixName name, ByteBuffer into) throws IOException {
        int room = into.remaining();
        int[] files = new int[MOST_DESCRIPTORS];
        Arrays.fill(files, NONE);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment octets = arena.allocate(Math.max(1, room));
            MemorySegment message = message(arena, octets, room);
            MemorySegment control = arena.allocate(CONTROL_BYTES, Long.BYTES);
            msghdr.msg_control(message, control);
            msghdr.msg_controllen(message, CONTROL_BYTES);
            long result = UnixCalls.receive(descriptor, message);
            if (isTemporary(result)) {
                return new FileMessage(0, null);
            }
            if (result == -Errno.ECONNRESET) {
                // It was closed with bytes unread, and there are none from it.
                return new FileMessage(UnixSocket.END, null);
            }
            int received = (int) CallErrors.check("recvmsg", name, result);
            int count = descriptors(control, msghdr.msg_controllen(message), files);
            if (count == 0 && (msghdr.msg_flags(message) & Libc.MSG_CTRUNC()) != 0) {
                throw new LostFileException("recvmsg of " + name
                        + ": the peer sent a file, and this process may have no more descriptors"
                        + CallErrors.remedy(Libc.EMFILE()));
            }
            if (count > 1 || (msghdr.msg_flags(message) & Libc.MSG_CTRUNC()) != 0) {
                throw new IOException("recvmsg of " + name + ": the peer sent more than one file, or more descriptors"
                        + " than this process may have; all were closed");
            }
            into.put(octets.asByteBuffer().limit(received));
            ReceivedFile file = count == 1 ? new ReceivedFile(files[0]) : null;
            FileMessage answer = new FileMessage(received == 0 && room > 0 ? UnixSocket.END : received, file);
            files[0] = NONE;
            return answer;
        } finally {
            for (int file : files) {
                if (file != NONE) {
                    DescriptorCloser.close(file);
                }
            }
        }
    }

    // Allocates nothing: what it collects is not lost for lack of memory.
    private static int descriptors(MemorySegment control, long length, int[] files) {
        int count = 0;
        long at = 0;
        while (at + HEADER_BYTES <= length) {
            long bytes = Math.min(control.get(JAVA_LONG, at + cmsghdr.cmsg_len$offset()), length - at);
            if (bytes < HEADER_BYTES) {
                return count;
            }
            boolean isRights = control.get(JAVA_INT, at + cmsghdr.cmsg_level$offset()) == Libc.SOL_SOCKET()
                    && control.get(JAVA_INT, at + cmsghdr.cmsg_type$offset()) == Libc.SCM_RIGHTS();
            for (long i = HEADER_BYTES; isRights && i + Integer.BYTES <= bytes; i += Integer.BYTES) {
                files[count++] = control.get(JAVA_INT, at + i);
            }
            at += align(bytes);
        }
        return count;
    }

    private static MemorySegment message(Arena arena, MemorySegment octets, long count) {
        MemorySegment entry = arena.allocate(iovec.layout());
        entry.set(JAVA_LONG, 0, octets.address());
        entry.set(JAVA_LONG, iovec.iov_len$offset(), count);
        MemorySegment message = arena.allocate(msghdr.layout());
        msghdr.msg_iov(message, entry);
        msghdr.msg_iovlen(message, 1);
        return message;
    }

    private static boolean isTemporary(long result) {
        return result == -Errno.EAGAIN || result == -Errno.EINTR;
    }

    // CMSG_ALIGN of sys/socket.h.
    private static long align(long bytes) {
        return (bytes + Long.BYTES - 1) & -Long.BYTES;
    }

    /** Closes the file, if one came and was not mapped. */
    @Override
    public void close() {
        ReceivedFile came = file;
        if (came != null) {
            came.close();
        }
    }
}
