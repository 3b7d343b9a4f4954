/** The command {@code ./verbs example}: which examples there are, and how one is started. */
@NullMarked
package org.panamaverbs.examples;

import org.jspecify.annotations.NullMarked;
