package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.bindings.libc.cmsghdr;
import org.panamaverbs.bindings.libc.iovec;
import org.panamaverbs.bindings.libc.msghdr;
import org.panamaverbs.iwarp.net.LibcCalls;

/** Descriptors as hostile peers send them: of anything, many at once, with a byte that is urgent. */
final class SentDescriptors {
    private static final MethodHandle SENDMSG =
            LibcCalls.handle("sendmsg", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT), false);
    private static final MethodHandle GETSOCKOPT = LibcCalls.handle(
            "getsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG), false);

    private SentDescriptors() {}

    /** Sends {@code descriptor} with a byte, {@code count} times. */
    static void send(UnixSocket to, int descriptor, int count) {
        send(to, descriptor, count, 0);
    }

    /** Sends {@code descriptor} with a byte, {@code count} times, with the flags of sendmsg {@code flags}. */
    static void send(UnixSocket to, int descriptor, int count, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = arena.allocate(iovec.layout());
            iovec.iov_base(entry, arena.allocate(1));
            iovec.iov_len(entry, 1);
            MemorySegment control = arena.allocate((cmsghdr.sizeof() + 4L * count + 7) & -8, 8);
            cmsghdr.cmsg_len(control, cmsghdr.sizeof() + 4L * count);
            cmsghdr.cmsg_level(control, Libc.SOL_SOCKET());
            cmsghdr.cmsg_type(control, Libc.SCM_RIGHTS());
            for (int i = 0; i < count; i++) {
                control.set(JAVA_INT, cmsghdr.sizeof() + 4L * i, descriptor);
            }
            MemorySegment message = arena.allocate(msghdr.layout());
            msghdr.msg_iov(message, entry);
            msghdr.msg_iovlen(message, 1);
            msghdr.msg_control(message, control);
            msghdr.msg_controllen(message, control.byteSize());
            assertThat(UnixCalls.call(state ->
                            (long) SENDMSG.invokeExact(state, to.descriptorOrNone(), message.address(), flags)))
                    .isEqualTo(1);
        }
    }

    /** Tells whether the system can be asked to refuse descriptors. */
    static boolean canBeRefused(UnixSocket socket) {
        try (Arena arena = Arena.ofConfined()) {
            long value = arena.allocate(JAVA_INT).address();
            long length = arena.allocateFrom(JAVA_INT, Integer.BYTES).address();
            return UnixCalls.call(state -> (int) GETSOCKOPT.invokeExact(
                            state,
                            socket.descriptorOrNone(),
                            Libc.SOL_SOCKET(),
                            UnixCalls.SO_PASSRIGHTS,
                            value,
                            length))
                    >= 0;
        }
    }
}
