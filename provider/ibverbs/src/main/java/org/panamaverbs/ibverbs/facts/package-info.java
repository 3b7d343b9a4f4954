/** What a device and its ports say of themselves: the queries of libibverbs, and what the kernel has in files. */
@NullMarked
package org.panamaverbs.ibverbs.facts;

import org.jspecify.annotations.NullMarked;
