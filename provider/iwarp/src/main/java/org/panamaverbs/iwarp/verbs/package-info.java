/**
 * The open device: what {@link org.panamaverbs.api.Verbs#open} returns, which puts the packages of the engine together.
 */
@NullMarked
package org.panamaverbs.iwarp.verbs;

import org.jspecify.annotations.NullMarked;
