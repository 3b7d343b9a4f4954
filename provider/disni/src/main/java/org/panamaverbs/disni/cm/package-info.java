/**
 * DiSNI's connection manager: ids, their events and channels over the blocking calls of the verbs API. Known to the
 * provider that hands it out, and to no application.
 */
@NullMarked
package org.panamaverbs.disni.cm;

import org.jspecify.annotations.NullMarked;
