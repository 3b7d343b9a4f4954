package org.panamaverbs.disni;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import java.util.Arrays;
import java.util.LinkedList;

/** Makes DiSNI's work requests. */
final class Requests {
    private Requests() {}

    static IbvSge sge(IbvMr mr, long offset, int length) {
        IbvSge sge = new IbvSge();
        sge.setAddr(mr.getAddr() + offset);
        sge.setLength(length);
        sge.setLkey(mr.getLkey());
        return sge;
    }

    static IbvSendWR send(long id, int opcode, int flags, IbvSge... sges) {
        IbvSendWR request = new IbvSendWR();
        request.setWr_id(id);
        request.setOpcode(opcode);
        request.setSend_flags(flags);
        request.getSg_list().addAll(Arrays.asList(sges));
        return request;
    }

    /** A Write or Read of {@code remote} from {@code offset}, with the lkey for rkey as DiSNI's examples have it. */
    static IbvSendWR rdma(long id, int opcode, int flags, IbvMr remote, long offset, IbvSge... sges) {
        IbvSendWR request = send(id, opcode, flags, sges);
        request.getRdma().setRemote_addr(remote.getAddr() + offset);
        request.getRdma().setRkey(remote.getLkey());
        return request;
    }

    // DiSNI's setter takes a LinkedList and nothing else.
    @SuppressWarnings("JdkObsolete")
    static IbvRecvWR receive(long id, IbvSge... sges) {
        IbvRecvWR request = new IbvRecvWR();
        request.setWr_id(id);
        request.setSg_list(new LinkedList<>(Arrays.asList(sges)));
        return request;
    }
}
