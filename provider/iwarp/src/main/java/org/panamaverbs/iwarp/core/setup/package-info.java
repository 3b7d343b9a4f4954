/**
 * The set-up of a connection: MPA request and reply frames with their negotiation (RFC 5044 §7.1, RFC 6581), and what
 * the two sides agreed on.
 */
@NullMarked
package org.panamaverbs.iwarp.core.setup;

import org.jspecify.annotations.NullMarked;
