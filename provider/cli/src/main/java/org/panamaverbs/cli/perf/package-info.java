/** {@code verbs perf}: the measurements of perftest. */
@NullMarked
package org.panamaverbs.cli.perf;

import org.jspecify.annotations.NullMarked;
