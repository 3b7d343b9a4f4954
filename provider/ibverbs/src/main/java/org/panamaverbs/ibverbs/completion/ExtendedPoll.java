package org.panamaverbs.ibverbs.completion;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.panamaverbs.api.WcField;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_cq_ex;
import org.panamaverbs.bindings.ibverbs.ibv_poll_cq_attr;
import org.panamaverbs.ibverbs.call.CqExOps;
import org.panamaverbs.ibverbs.call.RawMemory;
import org.panamaverbs.ibverbs.context.IbvContext;

/** Polls an extended completion queue. Under the queue's gate. */
final class ExtendedPoll extends EntryPoll {
    private static final long STATUS = ibv_cq_ex.status$offset();
    private static final long WR_ID = ibv_cq_ex.wr_id$offset();

    private final CqExOps ops;
    private final long queue;
    private final MemorySegment attributes = ibv_poll_cq_attr.allocate(Arena.ofAuto());
    private final boolean oneByOne;
    private final boolean byteCount;
    private final boolean immediate;
    private final boolean sourceQp;
    private final boolean sourceLid;
    private final boolean serviceLevel;
    private final boolean dlidPathBits;
    private final boolean timestamp;
    private final boolean wallclock;
    private final boolean cvlan;
    private final boolean flowTag;

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
        sourceLid = fields.contains(WcField.SOURCE_LID);
        serviceLevel = fields.contains(WcField.SERVICE_LEVEL);
        dlidPathBits = fields.contains(WcField.DLID_PATH_BITS);
        timestamp = fields.contains(WcField.TIMESTAMP);
        wallclock = fields.contains(WcField.WALLCLOCK);
        cvlan = fields.contains(WcField.CVLAN);
        flowTag = fields.contains(WcField.FLOW_TAG);
    }

    /** Returns what polls {@code queue}, a {@code struct ibv_cq_ex} for which {@code wanted} was asked. */
    static ExtendedPoll of(IbvContext context, MemorySegment queue, Set<WcField> wanted) {
        CqExOps ops = CqExOps.of(queue, context.ops().isCritical());
        return new ExtendedPoll(ops, WcKind.fields(wanted), context.quirks().nextEndsPoll());
    }

    @Override
    int poll(WcArray into, int most) {
        filled = 0;
        counted = 0;
        do {
            int errno = ops.start(attributes.address());
            if (errno != 0) {
                return filled != 0 || isEmpty(errno) ? filled : -Math.abs(errno);
            }
            try {
                readFrom(into, most);
            } finally {
                ops.end(); // consumes the last one as well
            }
        } while (oneByOne && filled < most);
        return filled;
    }

    private void readFrom(WcArray into, int most) {
        do {
            read(into, filled);
            filled++;
        } while (filled != most && !oneByOne && ops.next() == 0);
    }

    /**
     * Tells whether there is only nothing now: no completion, or mlx5's clock, which its completions are stamped with,
     * is being set. What else fails is a number of errno.h of either sign, or a driver's own, which are negative.
     */
    private static boolean isEmpty(int errno) {
        return errno == Errno.ENOENT || errno == Errno.EBUSY;
    }

    private void read(WcArray into, int index) {
        long entry = into.address(index);
        int status = RawMemory.getInt(queue + STATUS);
        RawMemory.putLong(entry + WcArray.WR_ID, RawMemory.getLong(queue + WR_ID));
        RawMemory.putInt(entry + WcArray.STATUS, status);
        RawMemory.putInt(entry + WcArray.QP_NUM, ops.qpNumber());
        if (status != 0) {
            RawMemory.putInt(entry + WcArray.VENDOR_ERROR, ops.vendorError());
        } else {
            int opcode = ops.opcode();
            RawMemory.putInt(entry + WcArray.OPCODE, opcode);
            RawMemory.putInt(entry + WcArray.BYTE_LEN, byteCount ? ops.byteCount() : 0);
            if (WcArray.isReceive(opcode)) {
                readReceive(into, entry);
            }
            if (!into.extra().isEmpty()) {
                readExtra(into.extra(), index);
            }
        }
    }

    private void readExtra(ExtraFields into, int index) {
        if (timestamp) {
            into.putTimestamp(index, ops.timestamp());
        }
        if (wallclock) {
            into.putWallclock(index, ops.wallclock());
        }
        if (cvlan) {
            into.putCvlan(index, ops.cvlan());
        }
        if (flowTag) {
            into.putFlowTag(index, ops.flowTag());
        }
    }

    private void readReceive(WcArray into, long entry) {
        RawMemory.putInt(entry + WcArray.SRC_QP, sourceQp ? ops.sourceQp() : 0);
        RawMemory.putShort(entry + WcArray.SLID, (short) (sourceLid ? ops.sourceLid() : 0));
        RawMemory.putByte(entry + WcArray.SL, (byte) (serviceLevel ? ops.serviceLevel() : 0));
        RawMemory.putByte(entry + WcArray.DLID_PATH_BITS, (byte) (dlidPathBits ? ops.dlidPathBits() : 0));
        int flags = immediate || into.isDatagram(WcArray.qpNumberAt(entry)) ? ops.flags() : 0;
        RawMemory.putInt(entry + WcArray.FLAGS, immediate ? flags : flags & WcArray.IBV_WC_GRH);
        if (immediate && into.hasImmediate(flags)) {
            RawMemory.putInt(entry + WcArray.IMM_DATA, ops.immediate());
        }
    }
}
