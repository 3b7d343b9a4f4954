/** The program of docs/guide/tutorial.md, which stands there as it is here. */
@NullMarked
package org.panamaverbs.examples.tutorial;

import org.jspecify.annotations.NullMarked;
