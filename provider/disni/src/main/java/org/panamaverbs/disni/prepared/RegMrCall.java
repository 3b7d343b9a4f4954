package org.panamaverbs.disni.prepared;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.SVCRegMr;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.disni.objects.Failures;
import org.panamaverbs.disni.objects.Mr;
import org.panamaverbs.disni.objects.Pd;
import org.panamaverbs.disni.objects.Registrations;

/** A prepared registration of memory; each execution makes a registration of its own. */
public final class RegMrCall extends SVCRegMr {
    private final Pd pd;
    private final MemorySegment segment;
    private final int access;
    private @Nullable Mr mr;
    private volatile boolean valid = true;

    public RegMrCall(Pd pd, MemorySegment segment, int access) {
        this.pd = pd;
        this.segment = segment;
        this.access = access;
    }

    @Override
    public SVCRegMr execute() throws IOException {
        if (!valid) {
            throw Failures.closed("regMr", "the call");
        }
        mr = Registrations.register(pd, segment, access);
        return this;
    }

    /** Returns the registration that was made last, null before the first. */
    @Override
    public @Nullable IbvMr getMr() {
        return mr;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCRegMr free() {
        valid = false;
        return this;
    }
}
