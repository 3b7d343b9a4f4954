/**
 * The provider of verbs over TCP in Java alone: RDMAP (RFC 5040, RFC 7306), DDP (RFC 5041) and MPA (RFC 5044, RFC
 * 6581).
 *
 * <p>It has one device, {@code iwarp0}, which is always there. {@link org.panamaverbs.iwarp.IwarpProvider} lists its
 * options.
 */
@NullMarked
package org.panamaverbs.iwarp;

import org.jspecify.annotations.NullMarked;
