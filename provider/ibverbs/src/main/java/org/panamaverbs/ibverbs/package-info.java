/**
 * The provider {@code ibverbs}: libibverbs and librdmacm through the Foreign Function and Memory API, for hardware
 * adapters and the kernel's software devices.
 */
@NullMarked
package org.panamaverbs.ibverbs;

import org.jspecify.annotations.NullMarked;
