package org.panamaverbs.iwarp.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.bindings.libc.iovec;
import org.panamaverbs.bindings.libc.msghdr;

/**
 * The system calls of one thread, with the memory that they need beside their arguments: errno, a gather list, an
 * address. All pointers are plain numbers, which costs nothing; what they lead to is the caller's business. A call that
 * fails answers the negative error number.
 */
final class LibcCalls {
    /** The most entries of one gather list. */
    static final int MAX_ENTRIES = 384;

    private static final int BOUNCE_BYTES = 64 * 1024;
    private static final int SMALL_BYTES = 256;
    // Calls up to here are over so soon that it does not matter that the collector waits for them.
    private static final long SHORT_BYTES = 64 * 1024;
    private static final int MESSAGE_FLAGS = Libc.MSG_NOSIGNAL() | Libc.MSG_DONTWAIT();
    private static final long ENTRY_BYTES = iovec.layout().byteSize();
    private static final long LENGTH_OFFSET = iovec.iov_len$offset();
    private static final long ENTRIES_OFFSET = msghdr.msg_iovlen$offset();

    private static final ThreadLocal<LibcCalls> OF_THREAD = ThreadLocal.withInitial(LibcCalls::new);

    private static final FunctionDescriptor TRANSFER =
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RECV = handle("recv", TRANSFER, true);
    private static final MethodHandle SEND = handle("send", TRANSFER, true);
    private static final MethodHandle SEND_LONG = handle("send", TRANSFER, false);
    private static final FunctionDescriptor MESSAGE = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RECVMSG = handle("recvmsg", MESSAGE, true);
    private static final MethodHandle SENDMSG = handle("sendmsg", MESSAGE, true);
    private static final MethodHandle SENDMSG_LONG = handle("sendmsg", MESSAGE, false);

    // Not constants for the compiler, on purpose: a call is then a compilation of its own, in which the slice of
    // `state` that each call makes is removed. Inlined into whoever polls, it is allocated.
    private final MethodHandle recv = RECV;
    private final MethodHandle send = SEND;
    private final MethodHandle sendLong = SEND_LONG;
    private final MethodHandle recvmsg = RECVMSG;
    private final MethodHandle sendmsg = SENDMSG;
    private final MethodHandle sendmsgLong = SENDMSG_LONG;
    private final MemorySegment state;
    private final MemorySegment entries;
    private final MemorySegment message;
    private final MemorySegment small;
    private MemorySegment bounce = MemorySegment.NULL;
    private int count;
    private long total;

    private LibcCalls() {
        Arena arena = Arena.ofAuto();
        state = arena.allocate(Linker.Option.captureStateLayout());
        entries = arena.allocate(MemoryLayout.sequenceLayout(MAX_ENTRIES, iovec.layout()));
        small = arena.allocate(SMALL_BYTES, Long.BYTES);
        message = arena.allocate(msghdr.layout());
        msghdr.msg_iov(message, entries);
    }

    /** Returns those of the calling thread. */
    static LibcCalls ofThread() {
        return OF_THREAD.get();
    }

    /** Describes the function {@code name}; {@code brief} if the collector may wait for it. */
    static MethodHandle handle(String name, FunctionDescriptor descriptor, boolean brief) {
        MemorySegment address = NativeLibrary.LIBC
                .lookup()
                .find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no " + name));
        return brief
                ? Linker.nativeLinker()
                        .downcallHandle(address, descriptor, Errno.capture(), Linker.Option.critical(false))
                : Linker.nativeLinker().downcallHandle(address, descriptor, Errno.capture());
    }

    /** Returns some octets for an address or a number that a call takes or answers; the next call may change them. */
    MemorySegment small() {
        return small;
    }

    /** Returns memory for octets on their way between a socket and the heap. */
    MemorySegment bounce() {
        if (bounce.address() == 0) {
            bounce = Arena.ofAuto().allocate(BOUNCE_BYTES);
        }
        return bounce;
    }

    /** Returns where errno is stored. */
    MemorySegment state() {
        return state;
    }

    /** Answers {@code result}, or the negative error number if that is -1. */
    long checked(long result) {
        return result == -1 ? -Errno.captured(state) : result;
    }

    /** Receives at most {@code length} octets. */
    long receive(int descriptor, long address, long length) {
        try {
            return checked((long) recv.invokeExact(state, descriptor, address, length, Libc.MSG_DONTWAIT()));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Sends {@code length} octets. */
    long send(int descriptor, long address, long length) {
        try {
            return checked(
                    length <= SHORT_BYTES
                            ? (long) send.invokeExact(state, descriptor, address, length, MESSAGE_FLAGS)
                            : (long) sendLong.invokeExact(state, descriptor, address, length, MESSAGE_FLAGS));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Begins a vector: a list of runs of memory to be sent, or to be received into. */
    void beginVector() {
        count = 0;
        total = 0;
    }

    /** Tells whether the vector takes another run. */
    boolean hasRoom() {
        return count < MAX_ENTRIES;
    }

    /** Adds a run to the vector. */
    void add(long address, long length) {
        long at = count++ * ENTRY_BYTES;
        entries.set(JAVA_LONG, at, address);
        entries.set(JAVA_LONG, at + LENGTH_OFFSET, length);
        total += length;
    }

    /** Returns the octets of the vector. */
    long vectorBytes() {
        return total;
    }

    /** Receives into the vector. */
    long receiveVector(int descriptor) {
        message.set(JAVA_LONG, ENTRIES_OFFSET, count);
        try {
            return checked((long) recvmsg.invokeExact(state, descriptor, message.address(), Libc.MSG_DONTWAIT()));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Sends the vector. */
    long sendVector(int descriptor) {
        if (count == 1) {
            return send(descriptor, entries.get(JAVA_LONG, 0), total);
        }
        message.set(JAVA_LONG, ENTRIES_OFFSET, count);
        try {
            return checked(
                    total <= SHORT_BYTES
                            ? (long) sendmsg.invokeExact(state, descriptor, message.address(), MESSAGE_FLAGS)
                            : (long) sendmsgLong.invokeExact(state, descriptor, message.address(), MESSAGE_FLAGS));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Returns what a call handle threw, which should throw nothing, to be thrown on. */
    static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(thrown);
    }
}
