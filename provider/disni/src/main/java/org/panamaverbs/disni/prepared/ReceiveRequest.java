package org.panamaverbs.disni.prepared;

import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.SVCPostRecv.RecvWRMod;
import java.io.IOException;
import org.panamaverbs.api.ReceiveQueue;
import org.panamaverbs.api.SgList;

/** One receive of a prepared post, a copy of DiSNI's. Posting allocates nothing. */
final class ReceiveRequest implements RecvWRMod {
    private static final SgList EMPTY = SgList.ofCapacity(1);

    private final long wrId;
    private final Pieces pieces;

    ReceiveRequest(IbvRecvWR request) throws IOException {
        wrId = request.getWr_id();
        pieces = new Pieces("postRecv", request.getSg_list());
    }

    /** Posts the request to {@code queue} and returns the status. */
    int post(ReceiveQueue queue) {
        SgList list = pieces.list();
        if (list != null) {
            return queue.postRecv(wrId, list);
        }
        if (pieces.count() == 0) {
            return queue.postRecv(wrId, EMPTY);
        }
        Piece piece = pieces.get(0);
        return queue.postRecv(wrId, piece.getAddr(), piece.octets(), piece.getLkey());
    }

    @Override
    public long getWr_id() {
        return wrId;
    }
}
