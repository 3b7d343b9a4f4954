package org.panamaverbs.disni.prepared;

import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.SVCPostRecv;
import java.io.IOException;
import java.util.List;
import org.panamaverbs.disni.objects.Failures;
import org.panamaverbs.disni.objects.Qp;

/** A prepared post of receives: made once, executed again and again without allocating. */
public final class PostRecvCall extends SVCPostRecv {
    private static final String OPERATION = "postRecv";

    private final Qp qp;
    private final ReceiveRequest[] requests;
    private volatile boolean valid = true;

    public PostRecvCall(Qp qp, List<IbvRecvWR> list) throws IOException {
        this.qp = qp;
        requests = new ReceiveRequest[list.size()];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = new ReceiveRequest(list.get(i));
        }
    }

    /**
     * Posts all of them, one after the other.
     *
     * @throws IOException naming the first that was refused; those before it are posted
     */
    @Override
    public SVCPostRecv execute() throws IOException {
        if (!valid) {
            throw Failures.closed(OPERATION, "the call");
        }
        qp.requireOpen(OPERATION);
        qp.receiveLock().lock();
        try {
            for (int i = 0; i < requests.length; i++) {
                post(i);
            }
        } finally {
            qp.receiveLock().unlock();
        }
        return this;
    }

    private void post(int index) throws IOException {
        ReceiveRequest request = requests[index];
        boolean posted = false;
        qp.receives().add(request.getWr_id());
        try {
            int status = request.post(qp.queuePair());
            posted = status >= 0;
            if (!posted) {
                throw Failures.refused(OPERATION, index, request.getWr_id(), qp.label(), status);
            }
        } catch (RuntimeException e) {
            throw Failures.of(OPERATION, e);
        } finally {
            if (!posted) {
                qp.receives().undo();
            }
        }
    }

    @Override
    public RecvWRMod getWrMod(int index) throws IOException {
        if (index < 0 || index >= requests.length) {
            throw new IOException("getWrMod: no work request " + index + " among " + requests.length);
        }
        return requests[index];
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCPostRecv free() {
        valid = false;
        return this;
    }
}
