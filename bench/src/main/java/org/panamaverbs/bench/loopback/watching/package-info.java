/** What a recording of Flight Recorder costs those who send, while it is on. */
@NullMarked
package org.panamaverbs.bench.loopback.watching;

import org.jspecify.annotations.NullMarked;
