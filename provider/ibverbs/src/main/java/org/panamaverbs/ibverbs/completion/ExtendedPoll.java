package org.panamaverbs.ibverbs.completion;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import org.panamaverbs.api.WcField;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_cq_ex;
import org.panamaverbs.bindings.ibverbs.ibv_poll_cq_attr;
import org.panamaverbs.ibverbs.call.CqExOps;
import org.panamaverbs.ibverbs.call.RawMemory;
import org.panamaverbs.ibverbs.context.IbvContext;

/**
 * Polls an extended completion queue into entries of the form that ibv_poll_cq(3) fills, so that all that follows is
 * the same. Under the queue's gate.
 */
final class ExtendedPoll {
    /** The fields of an ordinary completion. */
    private static final Set<WcField> ORDINARY = EnumSet.of(WcField.BYTE_COUNT, WcField.IMMEDIATE, WcField.SOURCE_QP);

    private static final long STATUS = ibv_cq_ex.status$offset();
    private static final long WR_ID = ibv_cq_ex.wr_id$offset();

    private final CqExOps ops;
    private final long queue;
    private final MemorySegment attributes = ibv_poll_cq_attr.allocate(Arena.ofAuto());
    private final boolean oneByOne;
    private final boolean byteCount;
    private final boolean immediate;
    private final boolean sourceQp;
    private final boolean timestamp;
    private final boolean wallclock;

    /**
     * Creates what polls one queue.
     *
     * @param fields what the queue was made with
     * @param oneByOne whether each completion is a poll of its own
     */
    ExtendedPoll(CqExOps ops, Set<WcField> fields, boolean oneByOne) {
        this.ops = ops;
        this.oneByOne = oneByOne;
        queue = ops.address();
        byteCount = fields.contains(WcField.BYTE_COUNT);
        immediate = fields.contains(WcField.IMMEDIATE);
        sourceQp = fields.contains(WcField.SOURCE_QP);
        timestamp = fields.contains(WcField.TIMESTAMP);
        wallclock = fields.contains(WcField.WALLCLOCK);
    }

    /** Returns the fields to make a queue with for which {@code wanted} was asked. */
    static Set<WcField> fields(Set<WcField> wanted) {
        return wanted.isEmpty() ? ORDINARY : wanted;
    }

    /** Returns what polls {@code queue}, a {@code struct ibv_cq_ex} for which {@code wanted} was asked. */
    static ExtendedPoll of(IbvContext context, MemorySegment queue, Set<WcField> wanted) {
        CqExOps ops = CqExOps.of(queue, context.ops().isCritical());
        return new ExtendedPoll(ops, fields(wanted), context.quirks().nextEndsPoll());
    }

    /**
     * Fills entries of {@code into} from the first on.
     *
     * @param most how many at most, from 1 to the array's capacity
     * @return how many were filled; an error number negated if the queue cannot be polled
     */
    int poll(WcArray into, int most) {
        int count = 0;
        do {
            int errno = ops.start(attributes.address());
            if (errno != 0) {
                return count != 0 || isEmpty(errno) ? count : -Math.abs(errno);
            }
            try {
                do {
                    read(into, count++);
                } while (count < most && !oneByOne && ops.next() == 0);
            } finally {
                ops.end(); // consumes the last one as well
            }
        } while (oneByOne && count < most);
        return count;
    }

    /**
     * Tells whether there is only nothing now: no completion, or mlx5's clock, which its completions are stamped with,
     * is being set. What else fails is a number of errno.h of either sign, or a driver's own, which are negative.
     */
    private static boolean isEmpty(int errno) {
        return errno == Errno.ENOENT || errno == Errno.EBUSY;
    }

    private void read(WcArray into, int index) {
        long at = into.address(index);
        int status = RawMemory.getInt(queue + STATUS);
        RawMemory.putLong(at + WcArray.WR_ID, RawMemory.getLong(queue + WR_ID));
        RawMemory.putInt(at + WcArray.STATUS, status);
        RawMemory.putInt(at + WcArray.QP_NUM, ops.qpNumber());
        if (status != 0) {
            RawMemory.putInt(at + WcArray.VENDOR_ERROR, ops.vendorError());
        } else {
            int opcode = ops.opcode();
            RawMemory.putInt(at + WcArray.OPCODE, opcode);
            RawMemory.putInt(at + WcArray.BYTE_LEN, byteCount ? ops.byteCount() : 0);
            if (WcArray.isReceive(opcode)) {
                readReceive(into, at);
            }
            if (timestamp) {
                into.putTimestamp(index, ops.timestamp());
            }
            if (wallclock) {
                into.putWallclock(index, ops.wallclock());
            }
        }
    }

    private void readReceive(WcArray into, long at) {
        RawMemory.putInt(at + WcArray.SRC_QP, sourceQp ? ops.sourceQp() : 0);
        int flags = immediate ? ops.flags() : 0;
        RawMemory.putInt(at + WcArray.FLAGS, flags);
        if (into.hasImmediate(flags)) {
            RawMemory.putInt(at + WcArray.IMM_DATA, ops.immediate());
        }
    }
}
