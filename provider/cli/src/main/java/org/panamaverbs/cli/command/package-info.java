/**
 * What the commands share: the device they open, the process beside theirs, their output, their failures and exit
 * status.
 */
@NullMarked
package org.panamaverbs.cli.command;

import org.jspecify.annotations.NullMarked;
