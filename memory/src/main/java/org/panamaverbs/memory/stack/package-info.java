/** Room on the stack, which this project's modules ask for before they begin what must not end half-way. */
@NullMarked
package org.panamaverbs.memory.stack;

import org.jspecify.annotations.NullMarked;
