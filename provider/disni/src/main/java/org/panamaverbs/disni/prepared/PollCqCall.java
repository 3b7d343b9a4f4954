package org.panamaverbs.disni.prepared;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.disni.objects.Cq;
import org.panamaverbs.disni.objects.Failures;
import org.panamaverbs.disni.objects.ReceiveBook;

/** A prepared poll: fills the application's own completions, again and again without allocating. */
public final class PollCqCall extends SVCPollCq {
    private static final int MOST = 65_536;
    private static final int FIRST_RECEIVE = IbvWC.IbvWcOpcode.IBV_WC_RECV.getOpcode();
    private static final int WITH_IMMEDIATE = 1 << 1; // IBV_WC_WITH_IMM in infiniband/verbs.h

    private final Cq cq;
    private final IbvWC[] list;
    private final WorkCompletions completions;
    private int polls;
    private volatile boolean valid = true;

    public PollCqCall(Cq cq, IbvWC[] list, int most) throws IOException {
        this.cq = cq;
        this.list = list;
        int capacity = Math.min(Math.min(most, list.length), MOST);
        if (capacity < 1) {
            throw Failures.unsupported(
                    "pollCQ", "a poll for " + most + " completions into " + list.length + "; it takes at least one");
        }
        completions = WorkCompletions.ofCapacity(capacity);
    }

    @Override
    public SVCPollCq execute() throws IOException {
        if (!valid) {
            throw Failures.closed("pollCQ", "the call");
        }
        cq.requireOpen("pollCQ");
        polls = 0;
        try {
            int count = cq.queue().poll(completions);
            for (int i = 0; i < count; i++) {
                fill(list[i], completions.get(i));
            }
            polls = count;
        } catch (IllegalStateException e) {
            throw Failures.of("pollCQ", e);
        }
        return this;
    }

    private void fill(IbvWC target, WorkCompletion completion) {
        int opcode = opcode(completion);
        target.setWr_id(completion.wrId());
        target.setStatus(completion.status().code());
        target.setOpcode(opcode);
        target.setSend(opcode < FIRST_RECEIVE);
        target.setVendor_err(completion.vendorError());
        target.setByte_len((int) completion.byteCount());
        target.setQp_num(completion.qpNumber());
        target.setImm_data(ImmediateData.toNetworkOrder(completion.immediate()));
        target.setWc_flags(completion.hasImmediate() ? WITH_IMMEDIATE : 0);
        target.setSrc_qp(completion.sourceQpNumber());
    }

    /** Returns libibverbs' number of what completed, also where it failed: see {@link ReceiveBook}. */
    private int opcode(WorkCompletion completion) {
        int opcode = completion.bySend() ? FIRST_RECEIVE : number(completion.opcode());
        boolean receive = opcode >= FIRST_RECEIVE;
        if (!receive && !mayBeReceive(completion.status())) {
            return opcode;
        }
        ReceiveBook receives = cq.receives(completion.qpNumber());
        boolean struck = receives != null && receives.strike(completion.wrId(), receive);
        return struck && !receive ? FIRST_RECEIVE : opcode;
    }

    /** Tells whether a receive can complete with {@code status}, and its completion not say that it is one. */
    private static boolean mayBeReceive(WcStatus status) {
        return switch (status) {
            case SUCCESS,
                    MEMORY_WINDOW_BIND_ERROR,
                    BAD_RESPONSE,
                    REMOTE_INVALID_REQUEST,
                    REMOTE_ACCESS_ERROR,
                    REMOTE_OPERATION_ERROR,
                    RETRY_EXCEEDED,
                    RNR_RETRY_EXCEEDED -> false;
            default -> true;
        };
    }

    /** {@code enum ibv_wc_opcode}, where DiSNI has it; all else, as Immediate Data, is a Send to it. */
    private static int number(@Nullable WcOpcode opcode) {
        return switch (opcode) {
            case null -> IbvWC.IbvWcOpcode.IBV_WC_SEND.getOpcode();
            case RDMA_WRITE, ATOMIC_WRITE, FLUSH -> IbvWC.IbvWcOpcode.IBV_WC_RDMA_WRITE.getOpcode();
            case RDMA_READ -> IbvWC.IbvWcOpcode.IBV_WC_RDMA_READ.getOpcode();
            case CMP_SWAP -> IbvWC.IbvWcOpcode.IBV_WC_COMP_SWAP.getOpcode();
            case FETCH_ADD -> IbvWC.IbvWcOpcode.IBV_WC_FETCH_ADD.getOpcode();
            case BIND_WINDOW -> IbvWC.IbvWcOpcode.IBV_WC_BIND_MW.getOpcode();
            case RECV -> FIRST_RECEIVE;
            case RECV_IMMEDIATE -> IbvWC.IbvWcOpcode.IBV_WC_RECV_RDMA_WITH_IMM.getOpcode();
            default -> IbvWC.IbvWcOpcode.IBV_WC_SEND.getOpcode();
        };
    }

    @Override
    public int getPolls() {
        return polls;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCPollCq free() {
        valid = false;
        return this;
    }
}
