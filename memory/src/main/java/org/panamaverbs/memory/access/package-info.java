/** Access to memory that may end while it is accessed, for this project's modules. */
@NullMarked
package org.panamaverbs.memory.access;

import org.jspecify.annotations.NullMarked;
