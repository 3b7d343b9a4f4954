package org.panamaverbs.ibverbs.context;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.memory.ManagedResource;

/**
 * A resource that has to stay open for a while although nobody needs it any more, since the kernel refers to what is
 * behind it, and that is closed by the provider then. Its parents cannot be closed meanwhile, and say why.
 */
public abstract class KeptResource extends ManagedResource {
    private volatile @Nullable String reason;

    /** Opens a resource, of which {@code name} tells people. */
    protected KeptResource(String name, ManagedResource... parents) {
        super(name, parents);
    }

    /** Says why it is still open, for who closes its parents; any thread. */
    public final void keptBecause(String why) {
        reason = why;
    }

    @Override
    protected final @Nullable String remark() {
        return reason;
    }
}
