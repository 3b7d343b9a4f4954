/** Access to memory that may end meanwhile, for this project's modules. */
@NullMarked
package org.panamaverbs.memory.access;

import org.jspecify.annotations.NullMarked;
