package org.panamaverbs.ibverbs.objects;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.bindings.ibverbs.ibv_context;
import org.panamaverbs.bindings.ibverbs.verbs_context;

/** The extended verbs of a context, which lie in front of {@code struct ibv_context}. */
final class ExtendedVerbs {
    // infiniband/verbs.h: #define __VERBS_ABI_IS_EXTENDED ((void *)UINTPTR_MAX), in ibv_context.abi_compat
    private static final long EXTENDED = -1L;

    private ExtendedVerbs() {}

    /**
     * Returns the {@code struct verbs_context} around {@code context}.
     *
     * @throws UnsupportedOperationException if the library is so old that it has none
     */
    static MemorySegment of(MemorySegment context) {
        MemorySegment sized = context.reinterpret(ibv_context.sizeof());
        if (ibv_context.abi_compat(sized).address() != EXTENDED) {
            throw new UnsupportedOperationException(
                    "libibverbs here has no extended verbs: it needs a newer rdma-core");
        }
        long offset = verbs_context.context$offset();
        return MemorySegment.ofAddress(context.address() - offset).reinterpret(verbs_context.sizeof());
    }
}
