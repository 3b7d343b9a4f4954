/** Queue pairs with their states and those that know of them, and the domain that makes them. */
@NullMarked
package org.panamaverbs.ibverbs.queuepair;

import org.jspecify.annotations.NullMarked;
