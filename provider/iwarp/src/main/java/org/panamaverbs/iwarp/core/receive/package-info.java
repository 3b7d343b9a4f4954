/**
 * From octets to memory: FPDUs become segments, each is judged in the order of RFC 5041 §7.1 and RFC 5040 §7.2, and its
 * payload is placed.
 */
@NullMarked
package org.panamaverbs.iwarp.core.receive;

import org.jspecify.annotations.NullMarked;
