/**
 * A file that is fetched by Reads, from memory that it is mapped to into memory that another is mapped to:
 * docs/guide/examples/file.md explains it.
 */
@NullMarked
package org.panamaverbs.examples.file;

import org.jspecify.annotations.NullMarked;
