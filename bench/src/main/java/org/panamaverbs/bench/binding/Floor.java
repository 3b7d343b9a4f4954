package org.panamaverbs.bench.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.bindings.NativeLibrary;

/** The loops in C that are the floor, of {@code floor.h}, and the completions of the idle stub. */
final class Floor {
    static final Downcalls STUB = new Downcalls(
            NativeLibrary.IBVERBS.fileName() + ", which is not the stub,",
            NativeLibrary.IBVERBS.lookup(),
            (function, shape, options) -> Linker.nativeLinker().downcallHandle(function, shape, options));
    private static final MethodHandle COMPLETIONS = STUB.plain("stub_completions", FunctionDescriptor.ofVoid(JAVA_INT));
    private static final MethodHandle POST_SEND =
            STUB.plain("floor_post_send", sum(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle POLL_CQ =
            STUB.plain("floor_poll_cq", sum(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle REQ_NOTIFY_CQ =
            STUB.plain("floor_req_notify_cq", sum(JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle WRITE = STUB.plain(
            "floor_write", sum(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle POLL_AND_READ =
            STUB.plain("floor_poll_and_read", sum(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle RING_MAKE = STUB.plain("ring_make", FunctionDescriptor.of(ADDRESS));
    private static final MethodHandle CHAIN = STUB.plain("floor_chain", sum(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle WR = STUB.plain("floor_wr", sum(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));

    private Floor() {}

    /** Has the stub bring {@code count} completions with every poll. */
    static void completions(int count) {
        try {
            COMPLETIONS.invokeExact(count);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    static long postSend(long qp, long wr, long badWr, long calls) {
        return run(() -> (long) POST_SEND.invokeExact(qp, wr, badWr, calls));
    }

    static long pollCq(long cq, int entries, long wc, long calls) {
        return run(() -> (long) POLL_CQ.invokeExact(cq, entries, wc, calls));
    }

    static long reqNotifyCq(long cq, int solicitedOnly, long calls) {
        return run(() -> (long) REQ_NOTIFY_CQ.invokeExact(cq, solicitedOnly, calls));
    }

    static long write(long qp, long wr, long address, int length, int lkey, long remoteAddress, int rkey, long calls) {
        return run(() -> (long) WRITE.invokeExact(qp, wr, address, length, lkey, remoteAddress, rkey, calls));
    }

    static long pollAndRead(long cq, int entries, long wc, long calls) {
        return run(() -> (long) POLL_AND_READ.invokeExact(cq, entries, wc, calls));
    }

    /** Returns a {@code struct ibv_qp_ex} that posts into a ring in memory, which stays. */
    static MemorySegment ring() {
        try {
            return (MemorySegment) RING_MAKE.invokeExact();
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    static long chain(long qp, long wr, int count, long calls) {
        return run(() -> (long) CHAIN.invokeExact(qp, wr, count, calls));
    }

    static long wr(long qp, long wr, int count, long calls) {
        return run(() -> (long) WR.invokeExact(qp, wr, count, calls));
    }

    /** A call into C. */
    private interface Loop {
        long run() throws Throwable;
    }

    private static long run(Loop loop) {
        try {
            return loop.run();
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private static FunctionDescriptor sum(MemoryLayout... arguments) {
        return FunctionDescriptor.of(JAVA_LONG, arguments);
    }
}
