package org.panamaverbs.iwarp.core.receive;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.iwarp.wire.AtomicRequestView;
import org.panamaverbs.iwarp.wire.AtomicResponseView;
import org.panamaverbs.iwarp.wire.ImmediateDataView;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.ReadRequestView;
import org.panamaverbs.iwarp.wire.TaggedView;
import org.panamaverbs.iwarp.wire.UntaggedView;

/**
 * The segment at hand, as its headers say: set when they are judged, valid until the segment is delivered. Of the views
 * those count that its opcode has.
 */
final class DdpSegment {
    /** One of the two is of every segment. */
    final TaggedView tagged = new TaggedView();

    final UntaggedView untagged = new UntaggedView();

    /** What follows the untagged header in messages that are all header. */
    final ReadRequestView readRequest = new ReadRequestView();

    final AtomicRequestView atomicRequest = new AtomicRequestView();
    final AtomicResponseView atomicResponse = new AtomicResponseView();
    final ImmediateDataView immediate = new ImmediateDataView();

    /** Where the headers are; whole if the message is all header. */
    MemorySegment header = MemorySegment.NULL;

    Opcode opcode = Opcode.TERMINATE;
}
