package org.panamaverbs.api;

/**
 * What {@link ProtectionDomain#advise} has the device do with memory that is registered on demand, {@code enum
 * ibv_advise_mr_advice}.
 */
public enum MemoryAdvice {
    /** The pages are brought in and mapped, to be read. */
    PREFETCH,
    /** The pages are brought in and mapped, to be written: the registration needs {@code LOCAL_WRITE}. */
    PREFETCH_WRITE,
    /** The pages that are there are mapped, and none is brought in. */
    PREFETCH_NO_FAULT
}
