/** The {@code verbs} command, which knows the others, and its {@code devinfo}. */
@NullMarked
package org.panamaverbs.cli;

import org.jspecify.annotations.NullMarked;
