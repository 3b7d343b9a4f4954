/**
 * A provider whose queue pairs are of one process and copy memory to each other: the example of docs/guide/provider.md.
 * A request is carried out by the post itself, under one lock of the process. Nobody imports this package.
 */
@NullMarked
package org.panamaverbs.local;

import org.jspecify.annotations.NullMarked;
