package org.panamaverbs.disni.prepared;

import com.ibm.disni.verbs.SVCDeregMr;
import java.io.IOException;
import org.panamaverbs.disni.objects.Failures;
import org.panamaverbs.disni.objects.Mr;

/** A prepared deregistration. */
public final class DeregMrCall extends SVCDeregMr {
    private final Mr mr;
    private volatile boolean valid = true;

    public DeregMrCall(Mr mr) {
        this.mr = mr;
    }

    @Override
    public SVCDeregMr execute() throws IOException {
        if (!valid) {
            throw Failures.closed("deregMr", "the call");
        }
        mr.destroy();
        return this;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCDeregMr free() {
        valid = false;
        return this;
    }
}
