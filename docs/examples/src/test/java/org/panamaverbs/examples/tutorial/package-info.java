/** The programs of docs/guide/tutorial.md, which stand there as they are here, and tests of the pages for newcomers. */
@NullMarked
package org.panamaverbs.examples.tutorial;

import org.jspecify.annotations.NullMarked;
