/** The {@code verbs} command, one class for each of its commands, and what they share. */
@NullMarked
package org.panamaverbs.cli;

import org.jspecify.annotations.NullMarked;
