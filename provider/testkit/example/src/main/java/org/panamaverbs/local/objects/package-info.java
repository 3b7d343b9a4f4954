/**
 * The objects of the api: domain, queues, channel, queue pair. A queue pair carries out its requests at the one that it
 * is connected to. It knows context and work; connections know it.
 */
@NullMarked
package org.panamaverbs.local.objects;

import org.jspecify.annotations.NullMarked;
