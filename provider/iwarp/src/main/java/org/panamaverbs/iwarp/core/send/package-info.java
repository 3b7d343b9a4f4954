/**
 * From work requests to octets: messages become segments, segments become FPDUs, and a batch of FPDUs is gathered from
 * headers, copies and the registered memory where it lies.
 */
@NullMarked
package org.panamaverbs.iwarp.core.send;

import org.jspecify.annotations.NullMarked;
