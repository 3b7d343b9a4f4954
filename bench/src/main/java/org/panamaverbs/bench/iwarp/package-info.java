/** What the layers of the provider iwarp cost without a network. */
@NullMarked
package org.panamaverbs.bench.iwarp;

import org.jspecify.annotations.NullMarked;
