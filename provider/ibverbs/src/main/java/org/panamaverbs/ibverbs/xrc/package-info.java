/** Extended reliable connections: their domains, and what has no queue pair of the application's. */
@NullMarked
package org.panamaverbs.ibverbs.xrc;

import org.jspecify.annotations.NullMarked;
