/**
 * The events of Flight Recorder, under the same names for every provider. Without the module {@code jdk.jfr} none of
 * them is loaded. Only {@code watch} may import this package; it imports {@code statistics} only.
 */
@NullMarked
package org.panamaverbs.spi.flight;

import org.jspecify.annotations.NullMarked;
