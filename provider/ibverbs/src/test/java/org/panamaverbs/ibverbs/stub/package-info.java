/** Tests over a stub of libibverbs and librdmacm: what no device can be made to do on purpose. */
@NullMarked
package org.panamaverbs.ibverbs.stub;

import org.jspecify.annotations.NullMarked;
