package org.panamaverbs.cli.decode.iwarp;

import java.util.List;
import org.panamaverbs.cli.decode.dissect.Hexadecimal;

/** The RDMA Writes that one side sends: whether the segments of each follow one another in one buffer. */
final class TaggedMessages {
    private boolean open;
    private int stag;
    private long nextTo;

    /** What comes next may belong to any message. */
    void forget() {
        open = false;
    }

    /**
     * Takes the next segment.
     *
     * @param length octets of payload
     * @param problems gets what is wrong
     */
    void segment(int segmentStag, long to, int length, boolean last, List<String> problems) {
        if (open && (segmentStag != stag || to != nextTo)) {
            problems.add("STag %s TO %s, expected %s and %s, where the message goes on (RFC 5041 section 5.2)"
                    .formatted(
                            Hexadecimal.word(segmentStag),
                            Hexadecimal.brief(to),
                            Hexadecimal.word(stag),
                            Hexadecimal.brief(nextTo)));
        }
        open = !last;
        stag = segmentStag;
        nextTo = to + length;
    }
}
