/** Posting: requests written into native memory and handed to the driver, each at once or in chains. */
@NullMarked
package org.panamaverbs.ibverbs.post;

import org.jspecify.annotations.NullMarked;
