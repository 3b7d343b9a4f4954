package org.panamaverbs.bindings;

/**
 * A C expression and the value that the bindings have for it.
 *
 * @param atLeast whether it is the least value, as the struct may have grown
 */
record Fact(String expression, long value, boolean atLeast) {}
