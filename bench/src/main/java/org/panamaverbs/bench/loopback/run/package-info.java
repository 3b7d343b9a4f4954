/** Runs over the loopback that JMH has no form for, each started by a script of its own. */
@NullMarked
package org.panamaverbs.bench.loopback.run;

import org.jspecify.annotations.NullMarked;
