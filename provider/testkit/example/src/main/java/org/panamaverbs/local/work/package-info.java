/**
 * Work requests: places that a post fills, the pieces of memory that they name, receives in their order. It knows the
 * context; the objects use it.
 */
@NullMarked
package org.panamaverbs.local.work;

import org.jspecify.annotations.NullMarked;
