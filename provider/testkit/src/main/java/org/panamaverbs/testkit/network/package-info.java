/**
 * A network that does not do what one hopes for: links that are slow, stall or break, and names that are never
 * resolved. It knows nothing of verbs; tests of providers over TCP may know it.
 */
@NullMarked
package org.panamaverbs.testkit.network;

import org.jspecify.annotations.NullMarked;
