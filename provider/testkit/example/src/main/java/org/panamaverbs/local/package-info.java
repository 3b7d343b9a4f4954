/**
 * A provider whose queue pairs are of one process and copy memory to each other: over {@code spi.software}. A request
 * is carried out by the post itself, under one lock of the process. Its packages are {@code context}, {@code objects}
 * and {@code connect}, each of which knows only those before it; nobody imports this one.
 */
@NullMarked
package org.panamaverbs.local;

import org.jspecify.annotations.NullMarked;
