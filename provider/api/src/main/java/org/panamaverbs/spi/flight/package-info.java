/**
 * The events of Flight Recorder, under the same names for every provider. Without the module {@code jdk.jfr} none of
 * them is loaded. Only {@code org.panamaverbs.spi.watch} may import this package; it imports only
 * {@code org.panamaverbs.api} and the memory module.
 */
@NullMarked
package org.panamaverbs.spi.flight;

import org.jspecify.annotations.NullMarked;
