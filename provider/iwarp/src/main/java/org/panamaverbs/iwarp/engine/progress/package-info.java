/** Octets, threads and time for streams: who drives a stream when, and who looks whether its peer has stopped. */
@NullMarked
package org.panamaverbs.iwarp.engine.progress;

import org.jspecify.annotations.NullMarked;
