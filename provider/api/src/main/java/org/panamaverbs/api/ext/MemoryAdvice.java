package org.panamaverbs.api.ext;

import org.panamaverbs.api.ProtectionDomain;

/** Advice on memory registered on demand, {@code enum ibv_advise_mr_advice}: see {@link ProtectionDomain#advise}. */
public enum MemoryAdvice {
    /** Fault the pages in and map them for reading. */
    PREFETCH,
    /** Fault the pages in and map them for writing; the registration needs {@code LOCAL_WRITE}. */
    PREFETCH_WRITE,
    /** Map the pages that are present, without faulting others in. */
    PREFETCH_NO_FAULT
}
