/**
 * Faults of memory as a kind of test: a class loader that has every allocation of a provider fail on request, and a run
 * that has one after the other fail and looks whether everything goes on.
 */
@NullMarked
package org.panamaverbs.testkit.faults;

import org.jspecify.annotations.NullMarked;
