package org.panamaverbs.disni.prepared;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.util.List;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.disni.objects.Failures;
import org.panamaverbs.disni.objects.Qp;

/** A prepared post of sends: made once, executed again and again without allocating. */
public final class PostSendCall extends SVCPostSend {
    private static final String OPERATION = "postSend";

    private final Qp qp;
    private final SendRequest[] requests;
    private volatile boolean valid = true;

    public PostSendCall(Qp qp, List<IbvSendWR> list) throws IOException {
        this.qp = qp;
        int maxInlineBytes = qp.queuePair().config().maxInlineBytes();
        requests = new SendRequest[list.size()];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = new SendRequest(list.get(i), maxInlineBytes);
        }
    }

    /**
     * Posts all of them with one doorbell.
     *
     * @throws IOException naming the first that was refused; those before it are posted, it and those behind are not,
     *     as {@code bad_wr} of {@code ibv_post_send(3)} says. To post the whole list again would post those before
     *     twice
     */
    @Override
    public SVCPostSend execute() throws IOException {
        if (!valid) {
            throw Failures.closed(OPERATION, "the call");
        }
        qp.requireOpen(OPERATION);
        qp.sendLock().lock();
        try {
            if (requests.length == 1) {
                check(0, requests[0].post(qp.queuePair()));
            } else {
                postAll();
            }
        } catch (RuntimeException e) {
            throw Failures.of(OPERATION, e);
        } finally {
            qp.sendLock().unlock();
        }
        return this;
    }

    private void postAll() throws IOException {
        Batch batch = qp.queuePair().batch();
        int posted = 0;
        int status = PostStatus.ACCEPTED;
        try {
            for (int i = 0; i < requests.length && status >= 0; i++) {
                status = requests[i].post(batch);
            }
            while (batch.pending() > 0) {
                int taken = batch.submit();
                if (taken <= 0) {
                    status = taken;
                    break;
                }
                posted += taken;
            }
        } finally {
            // What was not taken must not go out with a later list.
            batch.discard();
        }
        check(posted, status);
    }

    private void check(int index, int status) throws IOException {
        if (status < 0) {
            throw Failures.refused(OPERATION, index, requests[index].getWr_id(), qp.label(), status);
        }
    }

    @Override
    public SendWRMod getWrMod(int index) throws IOException {
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
    public SVCPostSend free() {
        valid = false;
        return this;
    }
}
