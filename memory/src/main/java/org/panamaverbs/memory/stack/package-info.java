/**
 * What this project's modules need so as not to end half-way: room on the stack, asked for before, and a queue that
 * keeps what it holds.
 */
@NullMarked
package org.panamaverbs.memory.stack;

import org.jspecify.annotations.NullMarked;
