/**
 * The objects of the API but for connections: domains, registrations, windows, queue pairs and what they post,
 * completion and receive queues, channels.
 */
@NullMarked
package org.panamaverbs.iwarp.engine.objects;

import org.jspecify.annotations.NullMarked;
