/**
 * Domain and queue pair. A queue pair carries out its requests at the one that it is connected to. Connections know it.
 */
@NullMarked
package org.panamaverbs.local.objects;

import org.jspecify.annotations.NullMarked;
