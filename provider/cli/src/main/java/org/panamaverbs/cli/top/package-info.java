/**
 * {@code verbs top}: what the connections of a running process do, by the periodic events of its Flight Recorder. Only
 * {@code cli} may import it.
 */
@NullMarked
package org.panamaverbs.cli.top;

import org.jspecify.annotations.NullMarked;
