package org.panamaverbs.iwarp.core;

import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.Terminate;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.iwarp.wire.UntaggedView;

/**
 * Finds the Read or Atomic that a peer's Terminate blames, by the MSN of the DDP header it returns, so that this
 * request completes with the reason and only the others with a flush.
 */
final class RequesterBlame {
    private RequesterBlame() {}

    public static void assign(Terminate terminate, SendRing sends, OutstandingRequests outstanding) {
        if (terminate.ddpHeader().size() != DdpHeader.UNTAGGED_BYTES) {
            return;
        }
        UntaggedView view = new UntaggedView().wrap(terminate.ddpHeader().asSegment(), 0, DdpHeader.UNTAGGED_BYTES);
        if (view.check() != null || view.qn() != Opcode.QN_REQUEST) {
            return;
        }
        long sequence = outstanding.find(view.msn());
        if (sequence != OutstandingRequests.OWN) {
            sends.fail(sends.slot(sequence), status(terminate.code()), Fault.vendorError(terminate.code()));
        }
    }

    private static WcStatus status(TerminateCode code) {
        boolean access = code.errorType() == 1;
        if (access) {
            return WcStatus.REMOTE_ACCESS_ERROR;
        }
        boolean refused = code.equals(TerminateCode.UNEXPECTED_OPCODE)
                || code.layer() == TerminateCode.LAYER_DDP
                || code.equals(TerminateCode.STREAM_CATASTROPHIC);
        return refused ? WcStatus.REMOTE_INVALID_REQUEST : WcStatus.REMOTE_OPERATION_ERROR;
    }
}
