/**
 * librdmacm as jextract reads {@code rdma/rdma_cma.h} of rdma-core 44; the same on each architecture.
 *
 * <p>Generated, with one change: symbols and the pointer layout come from
 * {@link org.panamaverbs.bindings.NativeLibrary#RDMACM}. Constants and layouts work without the library; a function of an
 * absent library fails with an error when it is first touched, so ask {@code NativeLibrary.RDMACM.isPresent()} before.
 */
package org.panamaverbs.bindings.rdmacm;
