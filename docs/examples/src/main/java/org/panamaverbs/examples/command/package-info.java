/** What every example has around it: options, two ends in one process or in two, the end of both when one fails. */
@NullMarked
package org.panamaverbs.examples.command;

import org.jspecify.annotations.NullMarked;
