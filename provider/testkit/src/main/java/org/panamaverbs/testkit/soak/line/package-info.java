/**
 * The connections of a process: a party opens the device and makes lines, its workers poll for them, each line has a
 * life from its queue pair to its end. It knows traffic and ledger; only the soak itself knows it.
 */
@NullMarked
package org.panamaverbs.testkit.soak.line;

import org.jspecify.annotations.NullMarked;
