/** The example of the README. */
@NullMarked
package org.panamaverbs.cli.example;

import org.jspecify.annotations.NullMarked;
