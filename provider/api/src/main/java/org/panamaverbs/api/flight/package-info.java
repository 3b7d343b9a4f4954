/**
 * The events of Flight Recorder, by one name for every provider. Without the module {@code jdk.jfr} none of them is
 * loaded. Only {@code watch} may import it; it knows {@code statistics} alone.
 */
@NullMarked
package org.panamaverbs.api.flight;

import org.jspecify.annotations.NullMarked;
