package org.panamaverbs.ibverbs.call;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.bindings.ibverbs.ibv_context;
import org.panamaverbs.bindings.ibverbs.ibv_context_ops;

/**
 * The data path of a context: the function pointers in {@code ibv_context.ops} that libibverbs' inline functions call.
 * Arguments are raw addresses; the caller keeps alive what they point to, and the objects themselves, by their
 * {@link Gate}s. Nothing is allocated.
 *
 * <p>A critical call ({@link Linker.Option#critical}) leaves out the thread-state transitions: faster, but the
 * collector waits for it. It is right where the driver only touches memory and rings a doorbell by a store, and wrong
 * where it calls the kernel.
 */
public final class Ops {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option CRITICAL = Linker.Option.critical(false);
    private static final FunctionDescriptor LLL = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor LIL = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final FunctionDescriptor LI = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT);
    // The address is the first argument, so that the handles are constants and the calls are compiled in line.
    private static final MethodHandle POST = LINKER.downcallHandle(LLL);
    private static final MethodHandle POST_CRITICAL = LINKER.downcallHandle(LLL, CRITICAL);
    private static final MethodHandle POLL = LINKER.downcallHandle(LIL);
    private static final MethodHandle POLL_CRITICAL = LINKER.downcallHandle(LIL, CRITICAL);
    private static final MethodHandle NOTIFY = LINKER.downcallHandle(LI);
    private static final MethodHandle NOTIFY_CRITICAL = LINKER.downcallHandle(LI, CRITICAL);

    private final MemorySegment postSend;
    private final MemorySegment postRecv;
    private final MemorySegment postSrqRecv;
    private final MemorySegment pollCq;
    private final MemorySegment reqNotifyCq;
    private final boolean critical;

    private Ops(MemorySegment ops, boolean critical) {
        postSend = ibv_context_ops.post_send(ops);
        postRecv = ibv_context_ops.post_recv(ops);
        postSrqRecv = ibv_context_ops.post_srq_recv(ops);
        pollCq = ibv_context_ops.poll_cq(ops);
        reqNotifyCq = ibv_context_ops.req_notify_cq(ops);
        this.critical = critical;
    }

    /** Returns the operations of {@code context}, a {@code struct ibv_context}. */
    public static Ops of(MemorySegment context, boolean critical) {
        return new Ops(ibv_context.ops(context.reinterpret(ibv_context.sizeof())), critical);
    }

    /** Tells whether the calls are critical. */
    public boolean isCritical() {
        return critical;
    }

    /** {@code ibv_post_send(3)}: 0 or an error number; {@code badWr} receives the first request not posted. */
    public int postSend(long qp, long wr, long badWr) {
        return post(postSend, qp, wr, badWr);
    }

    /** {@code ibv_post_recv(3)}: 0 or an error number. */
    public int postRecv(long qp, long wr, long badWr) {
        return post(postRecv, qp, wr, badWr);
    }

    /** {@code ibv_post_srq_recv(3)}: 0 or an error number. */
    public int postSrqRecv(long srq, long wr, long badWr) {
        return post(postSrqRecv, srq, wr, badWr);
    }

    /** {@code ibv_poll_cq(3)}: the number of completions, negative if it failed. */
    public int pollCq(long cq, int entries, long wc) {
        try {
            return critical
                    ? (int) POLL_CRITICAL.invokeExact(pollCq, cq, entries, wc)
                    : (int) POLL.invokeExact(pollCq, cq, entries, wc);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code ibv_req_notify_cq(3)}: 0 or an error number. */
    public int reqNotifyCq(long cq, int solicitedOnly) {
        try {
            return critical
                    ? (int) NOTIFY_CRITICAL.invokeExact(reqNotifyCq, cq, solicitedOnly)
                    : (int) NOTIFY.invokeExact(reqNotifyCq, cq, solicitedOnly);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private int post(MemorySegment function, long queue, long wr, long badWr) {
        try {
            return critical
                    ? (int) POST_CRITICAL.invokeExact(function, queue, wr, badWr)
                    : (int) POST.invokeExact(function, queue, wr, badWr);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }
}
