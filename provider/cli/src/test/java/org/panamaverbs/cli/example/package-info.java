/** Examples of the README and of the guide. */
@NullMarked
package org.panamaverbs.cli.example;

import org.jspecify.annotations.NullMarked;
