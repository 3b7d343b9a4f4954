/**
 * DiSNI's stateful calls: prepared once, with their work requests, and executed again and again without allocating.
 * Known to who answers DiSNI's verbs, and to no application.
 */
@NullMarked
package org.panamaverbs.disni.prepared;

import org.jspecify.annotations.NullMarked;
