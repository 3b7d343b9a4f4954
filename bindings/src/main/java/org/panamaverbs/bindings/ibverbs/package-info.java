/**
 * libibverbs as jextract reads {@code infiniband/verbs.h} of rdma-core 44 on x86-64.
 *
 * <p>Generated, with one change: symbols and the pointer layout come from
 * {@link org.panamaverbs.bindings.NativeLibrary#IBVERBS}. Constants and layouts work without the library; a function of an
 * absent library fails with an error when it is first touched, so ask {@code NativeLibrary.IBVERBS.isPresent()} before.
 * The functions that are {@code static inline} in C (posting, polling, arming) are not here: they are function pointers in
 * {@link org.panamaverbs.bindings.ibverbs.ibv_context_ops} and {@link org.panamaverbs.bindings.ibverbs.verbs_context}.
 */
package org.panamaverbs.bindings.ibverbs;
