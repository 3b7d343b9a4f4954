package org.panamaverbs.bench.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import org.panamaverbs.bindings.NativeLibrary;

/** What {@code stub.h} declares: the loops in C that are the floor, and what the stub answers. */
final class Floor {
    private static final MethodHandle POST_RESULT = find("stub_post_result", FunctionDescriptor.ofVoid(JAVA_INT));
    private static final MethodHandle COMPLETIONS = find("stub_completions", FunctionDescriptor.ofVoid(JAVA_INT));
    private static final MethodHandle POST_SEND =
            find("floor_post_send", sum(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle POLL_CQ = find("floor_poll_cq", sum(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle REQ_NOTIFY_CQ = find("floor_req_notify_cq", sum(JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle WRITE = find(
            "floor_write", sum(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle POLL_AND_READ =
            find("floor_poll_and_read", sum(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));

    private Floor() {}

    /** Has the stub return {@code result} from every post and notify. */
    static void postResult(int result) {
        try {
            POST_RESULT.invokeExact(result);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Has the stub bring {@code count} completions with every poll. */
    static void completions(int count) {
        try {
            COMPLETIONS.invokeExact(count);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long postSend(long qp, long wr, long badWr, long calls) {
        try {
            return (long) POST_SEND.invokeExact(qp, wr, badWr, calls);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long pollCq(long cq, int entries, long wc, long calls) {
        try {
            return (long) POLL_CQ.invokeExact(cq, entries, wc, calls);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long reqNotifyCq(long cq, int solicitedOnly, long calls) {
        try {
            return (long) REQ_NOTIFY_CQ.invokeExact(cq, solicitedOnly, calls);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long write(long qp, long wr, long address, int length, int lkey, long remoteAddress, int rkey, long calls) {
        try {
            return (long) WRITE.invokeExact(qp, wr, address, length, lkey, remoteAddress, rkey, calls);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long pollAndRead(long cq, int entries, long wc, long calls) {
        try {
            return (long) POLL_AND_READ.invokeExact(cq, entries, wc, calls);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static FunctionDescriptor sum(MemoryLayout... arguments) {
        return FunctionDescriptor.of(JAVA_LONG, arguments);
    }

    private static MethodHandle find(String name, FunctionDescriptor descriptor) {
        return NativeLibrary.IBVERBS
                .lookup()
                .find(name)
                .map(address -> Linker.nativeLinker().downcallHandle(address, descriptor))
                .orElseThrow(() -> new IllegalStateException(
                        NativeLibrary.IBVERBS.fileName() + " is not the stub: it has no " + name));
    }

    private static AssertionError unexpected(Throwable e) {
        return new AssertionError("a downcall threw", e);
    }
}
