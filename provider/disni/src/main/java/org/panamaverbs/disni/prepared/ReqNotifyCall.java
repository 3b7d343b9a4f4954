package org.panamaverbs.disni.prepared;

import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;
import org.panamaverbs.disni.objects.Cq;
import org.panamaverbs.disni.objects.Failures;

/** A prepared request for the next completion's event. */
public final class ReqNotifyCall extends SVCReqNotify {
    private final Cq cq;
    private final boolean solicitedOnly;
    private volatile boolean valid = true;

    public ReqNotifyCall(Cq cq, boolean solicitedOnly) {
        this.cq = cq;
        this.solicitedOnly = solicitedOnly;
    }

    @Override
    public SVCReqNotify execute() throws IOException {
        if (!valid) {
            throw Failures.closed("reqNotifyCQ", "the call");
        }
        cq.requireOpen("reqNotifyCQ");
        try {
            cq.queue().arm(solicitedOnly);
        } catch (IllegalStateException e) {
            throw Failures.of("reqNotifyCQ", e);
        }
        return this;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCReqNotify free() {
        valid = false;
        return this;
    }
}
