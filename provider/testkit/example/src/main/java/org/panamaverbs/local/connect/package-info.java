/**
 * Connections: ports and listeners of the process, attempts to connect and their answers, ends. It knows the objects;
 * only the open device knows it.
 */
@NullMarked
package org.panamaverbs.local.connect;

import org.jspecify.annotations.NullMarked;
