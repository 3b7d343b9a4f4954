/**
 * The stub of libibverbs and librdmacm: a device that tests have do what no device can be made to do on purpose, and
 * that benchmarks have do nothing.
 */
@NullMarked
package org.panamaverbs.stub;

import org.jspecify.annotations.NullMarked;
