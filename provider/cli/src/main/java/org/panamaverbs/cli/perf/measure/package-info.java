/**
 * What measures: connections with their data and completions, latency and bandwidth over them; no command line, no
 * reports.
 */
@NullMarked
package org.panamaverbs.cli.perf.measure;

import org.jspecify.annotations.NullMarked;
