/**
 * libibverbs as jextract reads {@code infiniband/verbs.h} of rdma-core 44.
 *
 * <p>Generated, with two changes: symbols and the pointer layout come from
 * {@link org.panamaverbs.bindings.NativeLibrary#IBVERBS}; and {@code pthread_mutex_t} and {@code pthread_cond_t} are opaque
 * bytes, written by hand, so that the layouts hold for each {@link org.panamaverbs.bindings.Architecture}. Constants and layouts work without the library; a function of an
 * absent library fails with an error when it is first touched, so ask {@code NativeLibrary.IBVERBS.isPresent()} before.
 * The functions that are {@code static inline} in C (posting, polling, arming) are not here: they are function pointers in
 * {@link org.panamaverbs.bindings.ibverbs.ibv_context_ops} and {@link org.panamaverbs.bindings.ibverbs.verbs_context}.
 */
package org.panamaverbs.bindings.ibverbs;
