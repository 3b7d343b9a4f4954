/**
 * The memory that peers reach: regions and windows under their STags, who may access them, and how memory is copied
 * whose owner may let it go at any time. It knows nothing of messages.
 */
@NullMarked
package org.panamaverbs.iwarp.core.memory;

import org.jspecify.annotations.NullMarked;
