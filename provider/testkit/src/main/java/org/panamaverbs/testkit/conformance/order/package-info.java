/** Operations one behind the other, of all kinds and at random: in which order they take effect. */
@NullMarked
package org.panamaverbs.testkit.conformance.order;

import org.jspecify.annotations.NullMarked;
