package org.panamaverbs.ibverbs.completion;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_cq_ex;

/**
 * The user-space half of a driver with a clock, as libibverbs would call it: an extended completion queue whose
 * functions are written in Java, and which notes how it is called.
 */
final class DriverInJava {
    /** A completion that the device has. */
    record Cqe(long wrId, int status, int opcode, int byteCount, int immediate, int flags, long clock) {}

    private static final int VENDOR_ERROR = 0x51;
    private static final int QP_NUMBER = 0x17;
    private static final int SOURCE_QP = 0x29;
    private static final long WALLCLOCK_AT_0 = 1_700_000_000_000_000_000L;

    private final MemorySegment queue;
    private final Deque<Cqe> waiting = new ArrayDeque<>();
    private final List<String> calls = new ArrayList<>();
    private Cqe current = new Cqe(0, 0, 0, 0, 0, 0, 0);
    private int failure = Errno.ENOENT;

    DriverInJava(Arena arena) {
        queue = ibv_cq_ex.allocate(arena);
        ibv_cq_ex.start_poll(queue, ibv_cq_ex.start_poll.allocate((cq, attributes) -> advance("start"), arena));
        ibv_cq_ex.next_poll(queue, ibv_cq_ex.next_poll.allocate(cq -> advance("next"), arena));
        ibv_cq_ex.end_poll(queue, ibv_cq_ex.end_poll.allocate(cq -> calls.add("end"), arena));
        ibv_cq_ex.read_opcode(queue, ibv_cq_ex.read_opcode.allocate(cq -> read("opcode", current.opcode()), arena));
        ibv_cq_ex.read_vendor_err(queue, ibv_cq_ex.read_vendor_err.allocate(cq -> read("vendor", VENDOR_ERROR), arena));
        ibv_cq_ex.read_byte_len(
                queue, ibv_cq_ex.read_byte_len.allocate(cq -> read("bytes", current.byteCount()), arena));
        ibv_cq_ex.read_imm_data(
                queue, ibv_cq_ex.read_imm_data.allocate(cq -> read("immediate", current.immediate()), arena));
        ibv_cq_ex.read_qp_num(queue, ibv_cq_ex.read_qp_num.allocate(cq -> read("qp", QP_NUMBER), arena));
        ibv_cq_ex.read_src_qp(queue, ibv_cq_ex.read_src_qp.allocate(cq -> read("source", SOURCE_QP), arena));
        ibv_cq_ex.read_wc_flags(queue, ibv_cq_ex.read_wc_flags.allocate(cq -> read("flags", current.flags()), arena));
        ibv_cq_ex.read_completion_ts(
                queue, ibv_cq_ex.read_completion_ts.allocate(cq -> readLong("clock", current.clock()), arena));
        ibv_cq_ex.read_completion_wallclock_ns(
                queue,
                ibv_cq_ex.read_completion_wallclock_ns.allocate(
                        cq -> readLong("wallclock", WALLCLOCK_AT_0 + current.clock()), arena));
    }

    MemorySegment queue() {
        return queue;
    }

    void completes(Cqe completion) {
        waiting.add(completion);
    }

    /** Has polls answer {@code errno} once nothing waits any more. */
    void failsWith(int errno) {
        failure = errno;
    }

    /** Returns what was called since the last time, in order. */
    List<String> calls() {
        List<String> since = List.copyOf(calls);
        calls.clear();
        return since;
    }

    private int advance(String call) {
        calls.add(call);
        Cqe next = waiting.poll();
        if (next == null) {
            return failure;
        }
        current = next;
        ibv_cq_ex.wr_id(queue, next.wrId());
        ibv_cq_ex.status(queue, next.status());
        return 0;
    }

    private int read(String field, int value) {
        calls.add(field);
        return value;
    }

    private long readLong(String field, long value) {
        calls.add(field);
        return value;
    }
}
