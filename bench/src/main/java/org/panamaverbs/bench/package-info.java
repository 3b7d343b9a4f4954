/** What every benchmark says about itself, for the page of results. */
@NullMarked
package org.panamaverbs.bench;

import org.jspecify.annotations.NullMarked;
