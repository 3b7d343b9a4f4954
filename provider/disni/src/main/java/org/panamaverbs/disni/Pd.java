package org.panamaverbs.disni;

import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import org.panamaverbs.api.ProtectionDomain;

/** A protection domain. */
final class Pd extends IbvPd {
    private final ProtectionDomain domain;

    Pd(Context context, ProtectionDomain domain, int number) throws IOException {
        super(context);
        this.domain = domain;
        handle = number;
    }

    ProtectionDomain domain() {
        return domain;
    }

    void destroy() throws IOException {
        if (!isOpen) {
            throw Failures.closed("deallocPd", "protection domain " + handle);
        }
        Failures.run("deallocPd", domain::close);
        isOpen = false;
    }
}
