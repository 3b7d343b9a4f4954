/**
 * What a provider implements: one {@link org.panamaverbs.api.spi.VerbsProvider}, found by
 * {@link java.util.ServiceLoader}, and the interfaces of {@link org.panamaverbs.api}. The conformance suite of the
 * testkit proves it.
 */
@NullMarked
package org.panamaverbs.api.spi;

import org.jspecify.annotations.NullMarked;
