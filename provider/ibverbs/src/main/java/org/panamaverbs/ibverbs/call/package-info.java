/**
 * Calls into libibverbs and librdmacm: control calls that capture errno, the function pointers of the data path, the
 * gate against use after close.
 */
@NullMarked
package org.panamaverbs.ibverbs.call;

import org.jspecify.annotations.NullMarked;
