package org.panamaverbs.disni.objects;

import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import org.panamaverbs.api.ProtectionDomain;

/** A protection domain. */
public final class Pd extends IbvPd {
    private final Context owner;
    private final ProtectionDomain domain;

    public Pd(Context context, ProtectionDomain domain, int number) throws IOException {
        super(context);
        this.owner = context;
        this.domain = domain;
        handle = number;
        context.made(domain, domain::close);
    }

    Context owner() {
        return owner;
    }

    public ProtectionDomain domain() {
        return domain;
    }

    public void destroy() throws IOException {
        if (!isOpen) {
            throw Failures.closed("deallocPd", "protection domain " + handle);
        }
        Failures.run("deallocPd", domain::close);
        owner.ended(domain);
        isOpen = false;
    }
}
