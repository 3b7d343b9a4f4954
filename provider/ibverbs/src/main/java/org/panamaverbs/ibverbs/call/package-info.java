/** Calls into libibverbs and librdmacm: control calls that capture errno, and the data path's function pointers. */
@NullMarked
package org.panamaverbs.ibverbs.call;

import org.jspecify.annotations.NullMarked;
