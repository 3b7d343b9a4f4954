/**
 * What tests of all modules hold alike: the rules of architecture, and what native-image is told. Each module's
 * {@code ArchitectureTest} says which of its types know each other nevertheless, and has the direction of its own
 * packages.
 */
@NullMarked
package org.panamaverbs.rules;

import org.jspecify.annotations.NullMarked;
