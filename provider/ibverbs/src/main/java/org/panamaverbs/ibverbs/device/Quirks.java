package org.panamaverbs.ibverbs.device;

/**
 * Where a driver departs from what {@code infiniband/verbs.h} and its manual pages say, so that the data path can make
 * up for it.
 *
 * @param receiveNeedsPiece whether it refuses a receive without a scatter/gather entry: an empty one is given
 * @param readTakesNoFence whether a Read with {@code IBV_SEND_FENCE} stops its send queue: the flag is left out
 * @param noSolicitedEvents whether no message raises the event that is armed for solicited ones only: queues are armed
 *     for any, since an event too many wakes in vain, while one too few is waited for in vain
 * @param noReadyToReceive whether it connects without the message that lets the accepting side be the first to send: an
 *     empty Write is posted in its place
 * @param reservedKeys bytes of each context's mapping keys that a completion queue has to occupy, 0 for none: one of
 *     the keys would be taken for a failure
 * @param nextEndsPoll whether ibv_next_poll(3) ends a poll when it finds nothing more, so that ibv_end_poll(3) would
 *     step past the queue's end: extended completion queues are polled one by one
 * @param repeatsBinds whether it binds a window again when it sends what was posted before anew: then only a bind that
 *     leaves the key succeeds
 * @param invalidatedFlag the bits of {@code wc_flags} of which one says that the peer invalidated a key
 */
public record Quirks(
        boolean receiveNeedsPiece,
        boolean readTakesNoFence,
        boolean noSolicitedEvents,
        boolean noReadyToReceive,
        int reservedKeys,
        boolean nextEndsPoll,
        boolean repeatsBinds,
        int invalidatedFlag) {
    private static final int IBV_WC_WITH_INV = 1 << 3; // infiniband/verbs.h: enum ibv_wc_flags
    private static final int IB_WC_WITH_INVALIDATE = 1 << 2; // include/rdma/ib_verbs.h: enum ib_wc_flags

    /** A driver that does as it should. */
    public static final Quirks NONE = new Quirks(false, false, false, false, 0, false, false, IBV_WC_WITH_INV);

    /**
     * siw: push_recv_wqe() of its user-space half wants one to six pieces; siw_activate_tx_from_sq() "cannot fence
     * read", although its Reads are in order anyway; siw_rqe_complete() never tells siw_cq_notify_now() of
     * solicitation; siw_cm.c compiles peer_to_peer, its name for asking for such a message, to false; its user-space
     * half takes the mapping key 0x90000, SIW_INVAL_UOBJ_KEY, for a failure, which the kernel, giving out keys from 0
     * in pages, comes to with some 70 queue pairs.
     */
    static final Quirks SIW = new Quirks(true, true, true, true, 0x90000, false, false, IBV_WC_WITH_INV);

    /**
     * rxe: do_complete() in rxe_resp.c hands the kernel's flag to the application, where this bit means a checked IP
     * checksum; rxe has no such check. cq_next_poll() of rdma-core 44's user-space half steps over the last completion
     * and gives its lock back before cq_end_poll() does both. req_retry() in rxe_req.c goes back to the oldest request,
     * and rxe_requester() does the local ones behind it again: rxe_bind_mw() refuses a window by a key that it had.
     */
    static final Quirks RXE =
            new Quirks(false, false, false, false, 0, true, true, IBV_WC_WITH_INV | IB_WC_WITH_INVALIDATE);
}
