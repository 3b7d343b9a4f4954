/**
 * What a run found, whatever was measured: results beside their floors, by question, and what of it was promised. Those
 * who measure make it, and the writers of pages show it; it knows neither.
 */
@NullMarked
package org.panamaverbs.bench.result;

import org.jspecify.annotations.NullMarked;
