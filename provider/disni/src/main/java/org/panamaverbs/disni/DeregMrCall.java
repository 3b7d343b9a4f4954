package org.panamaverbs.disni;

import com.ibm.disni.verbs.SVCDeregMr;
import java.io.IOException;

/** A prepared deregistration. */
final class DeregMrCall extends SVCDeregMr {
    private final Mr mr;
    private volatile boolean valid = true;

    DeregMrCall(Mr mr) {
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
