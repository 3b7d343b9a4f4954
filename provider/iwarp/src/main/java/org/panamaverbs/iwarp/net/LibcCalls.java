package org.panamaverbs.iwarp.net;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.bindings.libc.iovec;
import org.panamaverbs.bindings.libc.msghdr;
import org.panamaverbs.iwarp.iovec.Pool;
import org.panamaverbs.iwarp.iovec.Pooled;

/**
 * System calls, with the memory that they need beside their arguments: errno, a gather list, an address. A thread
 * borrows one for each call, so that there are as many as calls at once and not as threads. All pointers are plain
 * numbers, which costs nothing; what they lead to is the caller's business, but for the memory of a vector that is to
 * be {@linkplain #hold held}. A call that fails answers the negative error number.
 */
public final class LibcCalls extends Pooled {
    /** The most entries of one gather list. */
    public static final int MAX_ENTRIES = 384;

    private static final int BOUNCE_BYTES = 64 * 1024;
    private static final int SMALL_BYTES = 256;
    // Calls up to here are over so soon that it does not matter that the collector waits for them.
    private static final long SHORT_BYTES = 64 * 1024;
    private static final int MESSAGE_FLAGS = Libc.MSG_NOSIGNAL() | Libc.MSG_DONTWAIT();
    private static final long ENTRY_BYTES = iovec.layout().byteSize();
    private static final long LENGTH_OFFSET = iovec.iov_len$offset();
    private static final long ENTRIES_OFFSET = msghdr.msg_iovlen$offset();

    private static final Downcalls LIBC = new Downcalls(
            "the C library",
            NativeLibrary.LIBC.lookup(),
            (function, shape, options) -> Linker.nativeLinker().downcallHandle(function, shape, options));
    private static final FunctionDescriptor TRANSFER =
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    // With one more argument that the function does not have: the segment's arena stays open meanwhile.
    private static final FunctionDescriptor HOLDING = TRANSFER.appendArgumentLayouts(ADDRESS);
    private static final MethodHandle RECV = handle("recv", TRANSFER, true);
    private static final MethodHandle SEND = handle("send", TRANSFER, true);
    // With one argument more than they have, which they do not look at: so they need no shape of their own.
    private static final MethodHandle RECVMSG = handle("recvmsg", TRANSFER, true);
    private static final MethodHandle SENDMSG = handle("sendmsg", TRANSFER, true);
    // Of functions that are called rarely: each shape takes milliseconds to link, so they have one, with as many
    // arguments as most of them; a function does not look at those that it does not have.
    private static final FunctionDescriptor RARE =
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    // Last: what is made here has copies of the handles.
    private static final Pool<LibcCalls> POOL = new Pool<>(Pool.forAMoment(), LibcCalls::new);

    static {
        POOL.prepare();
    }

    // Calls that many programs never make, linked with the first of them, by a method: an initializer that fails, for
    // lack of memory, does so for ever. Not constants either. Two threads may link one at the same time.
    @SuppressWarnings("NonFinalStaticField")
    private static @Nullable MethodHandle longSend;

    @SuppressWarnings("NonFinalStaticField")
    private static @Nullable MethodHandle longSendmsg;

    @SuppressWarnings("NonFinalStaticField")
    private static @Nullable MethodHandle holdingRecvmsg;

    @SuppressWarnings("NonFinalStaticField")
    private static @Nullable MethodHandle holdingSendmsg;

    @SuppressWarnings("NonFinalStaticField")
    private static @Nullable MethodHandle longHoldingSendmsg;

    // Not constants for the compiler, on purpose: a call is then a compilation of its own, in which the slice of
    // `state` that each call makes is removed. Inlined into whoever polls, it is allocated.
    private final MethodHandle recv = RECV;
    private final MethodHandle send = SEND;
    private final MethodHandle recvmsg = RECVMSG;
    private final MethodHandle sendmsg = SENDMSG;
    private final MemorySegment state;
    private final MemorySegment entries;
    private final MemorySegment message;
    private final MemorySegment small;
    private MemorySegment bounce = MemorySegment.NULL;
    private int count;
    private long total;
    // What the call with the vector holds: of no length if nothing.
    private MemorySegment held = MemorySegment.NULL;

    /** Makes memory for calls that can last long; for others see {@link #take}. */
    public LibcCalls() {
        Arena arena = Arena.ofAuto();
        state = arena.allocate(Errno.CAPTURE_LAYOUT);
        entries = arena.allocate(MemoryLayout.sequenceLayout(MAX_ENTRIES, iovec.layout()));
        small = arena.allocate(SMALL_BYTES, Long.BYTES);
        message = arena.allocate(msghdr.layout());
        msghdr.msg_iov(message, entries);
    }

    /**
     * Lends what a call needs that is soon over, to be given back before the thread takes another. Does not fail for
     * lack of memory: one is there, and whoever has it is about to give it back.
     */
    public static LibcCalls take() {
        LibcCalls lent = POOL.take();
        while (lent == null) {
            Thread.yield();
            lent = POOL.take();
        }
        return lent;
    }

    private static MethodHandle longSend() {
        MethodHandle linked = longSend;
        if (linked == null) {
            linked = handle("send", TRANSFER, false);
            longSend = linked;
        }
        return linked;
    }

    private static MethodHandle longSendmsg() {
        MethodHandle linked = longSendmsg;
        if (linked == null) {
            linked = handle("sendmsg", TRANSFER, false);
            longSendmsg = linked;
        }
        return linked;
    }

    private static MethodHandle holdingRecvmsg() {
        MethodHandle linked = holdingRecvmsg;
        if (linked == null) {
            linked = handle("recvmsg", HOLDING, true);
            holdingRecvmsg = linked;
        }
        return linked;
    }

    private static MethodHandle holdingSendmsg() {
        MethodHandle linked = holdingSendmsg;
        if (linked == null) {
            linked = handle("sendmsg", HOLDING, true);
            holdingSendmsg = linked;
        }
        return linked;
    }

    private static MethodHandle longHoldingSendmsg() {
        MethodHandle linked = longHoldingSendmsg;
        if (linked == null) {
            linked = handle("sendmsg", HOLDING, false);
            longHoldingSendmsg = linked;
        }
        return linked;
    }

    /** Describes the function {@code name}; {@code brief} if the collector may wait for it. */
    public static MethodHandle handle(String name, FunctionDescriptor descriptor, boolean brief) {
        return brief
                ? LIBC.withErrno(name, descriptor, Linker.Option.critical(false))
                : LIBC.withErrno(name, descriptor);
    }

    /** Describes the function {@code name}, which is called rarely: by {@link #call} or {@link #callInt}. */
    public static MethodHandle handle(String name) {
        return LIBC.withErrno(name, RARE);
    }

    /** Describes the function {@code name} like that, of whose arguments those from {@code index} on are variable. */
    public static MethodHandle handle(String name, int index) {
        return LIBC.withErrno(name, RARE, Linker.Option.firstVariadicArg(index));
    }

    /**
     * Describes the function {@code name}, for whose brief calls the collector may wait and whose errno nobody asks
     * for. Of plain numbers alone such a call allocates nothing, also where it is not compiled.
     */
    public static MethodHandle withoutErrno(String name, FunctionDescriptor descriptor) {
        return LIBC.plain(name, descriptor, Linker.Option.critical(false));
    }

    /** Describes the function {@code name} like that, which has variable arguments as {@code variadic} says. */
    static MethodHandle withoutErrno(String name, FunctionDescriptor descriptor, Linker.Option variadic) {
        return LIBC.plain(name, descriptor, variadic, Linker.Option.critical(false));
    }

    /** Describes the function {@code name}, which has variable arguments as {@code variadic} says. */
    public static MethodHandle handle(String name, FunctionDescriptor descriptor, Linker.Option variadic) {
        return LIBC.withErrno(name, descriptor, variadic);
    }

    /** Returns some bytes for an address or a number that a call takes or answers; the next call may change them. */
    public MemorySegment small() {
        return small;
    }

    /** Returns memory for bytes on their way between a socket and the heap. */
    public MemorySegment bounce() {
        if (bounce.address() == 0) {
            bounce = Arena.ofAuto().allocate(BOUNCE_BYTES);
        }
        return bounce;
    }

    /** Returns where errno is stored. */
    public MemorySegment state() {
        return state;
    }

    /** Answers {@code result}, or the negative error number if that is -1. */
    public long checked(long result) {
        return result == -1 ? -Errno.captured(state) : result;
    }

    /** Calls {@code rare}, whose result is of 64 bits; answers that, or the negative error number. */
    public long call(MethodHandle rare, long a, long b, long c, long d, long e, long f) {
        return checked(invoke(rare, a, b, c, d, e, f));
    }

    /** Calls {@code rare}, whose result is of 32 bits; answers that, or the negative error number. */
    public long callInt(MethodHandle rare, long a, long b, long c, long d, long e) {
        int result = (int) invoke(rare, a, b, c, d, e, 0);
        return checked(result);
    }

    /** Calls {@code rare} of at most three arguments as the other method. */
    public long callInt(MethodHandle rare, long a, long b, long c) {
        return callInt(rare, a, b, c, 0, 0);
    }

    private long invoke(MethodHandle rare, long a, long b, long c, long d, long e, long f) {
        try {
            return (long) rare.invokeExact(state, a, b, c, d, e, f);
        } catch (Throwable thrown) {
            throw Downcalls.unexpected(thrown);
        }
    }

    /** Receives at most {@code length} bytes. */
    public long receive(int descriptor, long address, long length) {
        try {
            return checked((long) recv.invokeExact(state, descriptor, address, length, Libc.MSG_DONTWAIT()));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Sends {@code length} bytes. */
    public long send(int descriptor, long address, long length) {
        try {
            return checked(
                    length <= SHORT_BYTES
                            ? (long) send.invokeExact(state, descriptor, address, length, MESSAGE_FLAGS)
                            : (long) longSend().invokeExact(state, descriptor, address, length, MESSAGE_FLAGS));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Begins a vector: a list of runs of memory to be sent, or to be received into. */
    public void beginVector() {
        count = 0;
        total = 0;
        held = MemorySegment.NULL;
    }

    /**
     * Has the call with the vector keep the owner of {@code memory} from closing it, unless that has no length: then it
     * is an address alone. False if it keeps other memory already: the run belongs into the next vector.
     */
    public boolean hold(MemorySegment memory) {
        if (memory.byteSize() == 0) {
            return true;
        }
        if (held.byteSize() != 0) {
            return held.scope().equals(memory.scope());
        }
        held = memory;
        return true;
    }

    // Its owner has closed it: as if nothing could be moved now. The next pass refuses the memory.
    private long afterHolding(MemorySegment memory, Throwable thrown) {
        if (thrown instanceof IllegalStateException && !memory.scope().isAlive()) {
            return -Libc.EAGAIN();
        }
        throw Downcalls.unexpected(thrown);
    }

    /** Tells whether the vector takes another run. */
    public boolean hasRoom() {
        return count < MAX_ENTRIES;
    }

    /** Adds a run to the vector. */
    public void add(long address, long length) {
        long at = count++ * ENTRY_BYTES;
        entries.set(JAVA_LONG, at, address);
        entries.set(JAVA_LONG, at + LENGTH_OFFSET, length);
        total += length;
    }

    /** Returns the bytes of the vector. */
    public long vectorBytes() {
        return total;
    }

    /** Receives into the vector. */
    public long receiveVector(int descriptor) {
        message.set(JAVA_LONG, ENTRIES_OFFSET, count);
        long address = message.address();
        MemorySegment memory = held;
        held = MemorySegment.NULL;
        try {
            return checked(
                    memory.byteSize() == 0
                            ? (long) recvmsg.invokeExact(state, descriptor, address, (long) Libc.MSG_DONTWAIT(), 0)
                            : (long) holdingRecvmsg()
                                    .invokeExact(state, descriptor, address, (long) Libc.MSG_DONTWAIT(), 0, memory));
        } catch (Throwable e) {
            return afterHolding(memory, e);
        }
    }

    /** Sends the vector. */
    public long sendVector(int descriptor) {
        MemorySegment memory = held;
        if (memory.byteSize() != 0) {
            return sendHolding(descriptor, memory);
        }
        if (count == 1) {
            return send(descriptor, entries.get(JAVA_LONG, 0), total);
        }
        message.set(JAVA_LONG, ENTRIES_OFFSET, count);
        try {
            return checked(
                    total <= SHORT_BYTES
                            ? (long) sendmsg.invokeExact(state, descriptor, message.address(), (long) MESSAGE_FLAGS, 0)
                            : (long) longSendmsg()
                                    .invokeExact(state, descriptor, message.address(), (long) MESSAGE_FLAGS, 0));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private long sendHolding(int descriptor, MemorySegment memory) {
        held = MemorySegment.NULL;
        message.set(JAVA_LONG, ENTRIES_OFFSET, count);
        long address = message.address();
        try {
            return checked(
                    total <= SHORT_BYTES
                            ? (long) holdingSendmsg()
                                    .invokeExact(state, descriptor, address, (long) MESSAGE_FLAGS, 0, memory)
                            : (long) longHoldingSendmsg()
                                    .invokeExact(state, descriptor, address, (long) MESSAGE_FLAGS, 0, memory));
        } catch (Throwable e) {
            return afterHolding(memory, e);
        }
    }
}
