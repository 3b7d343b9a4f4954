/** Capture files: the packets in a pcap or pcapng, one after another. */
@NullMarked
package org.panamaverbs.cli.decode.capture;

import org.jspecify.annotations.NullMarked;
