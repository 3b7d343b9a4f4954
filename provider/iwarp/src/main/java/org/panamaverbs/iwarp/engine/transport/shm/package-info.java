/**
 * Memory shared with peers of this host: how two sides agree on it over TCP, and what carries octets through it then.
 */
@NullMarked
package org.panamaverbs.iwarp.engine.transport.shm;

import org.jspecify.annotations.NullMarked;
