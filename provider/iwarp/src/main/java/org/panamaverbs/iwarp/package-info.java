/**
 * The provider {@code iwarp}: verbs over TCP in pure Java, by RDMAP (RFC 5040, RFC 7306), DDP (RFC 5041) and MPA (RFC
 * 5044, RFC 6581).
 *
 * <p>Its only device, {@code iwarp0}, is always available. {@link org.panamaverbs.iwarp.IwarpProvider} explains its
 * options.
 */
@NullMarked
package org.panamaverbs.iwarp;

import org.jspecify.annotations.NullMarked;
