/** Headers of iWARP taken apart into fields with names, and what is wrong in one of them by itself. */
@NullMarked
package org.panamaverbs.cli.decode.dissect;

import org.jspecify.annotations.NullMarked;
