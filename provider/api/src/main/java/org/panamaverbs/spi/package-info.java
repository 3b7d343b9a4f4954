/**
 * The SPI: a provider implements one {@link org.panamaverbs.spi.VerbsProvider}, found by
 * {@link java.util.ServiceLoader}, and the interfaces of {@link org.panamaverbs.api}. The testkit's conformance suite
 * tests it.
 */
@NullMarked
package org.panamaverbs.spi;

import org.jspecify.annotations.NullMarked;
