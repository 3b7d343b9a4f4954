/** What the demo does: each exercise with both of its sides, and the end of a connection that it is done on. */
@NullMarked
package org.panamaverbs.cli.demo.exercise;

import org.jspecify.annotations.NullMarked;
