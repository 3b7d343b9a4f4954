package org.panamaverbs.cli.decode.iwarp;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.cli.decode.dissect.Names;
import org.panamaverbs.iwarp.wire.Opcode;

/** The messages that one side sends to one untagged queue: whether each goes on where the last one ended. */
final class UntaggedQueue {
    private boolean known = true;
    private int nextMsn = 1; // RFC 5041 §4.3: "The initial value for MSN MUST be one."
    private int nextMo;
    // Of the message that has begun, null between two.
    private @Nullable Opcode open;

    /** Some of what was sent is not known: the next segment is taken as it is. */
    void forget() {
        known = false;
    }

    /**
     * Takes the next segment.
     *
     * @param length octets behind its DDP header
     * @param problems gets what is wrong
     */
    void segment(Opcode opcode, int msn, int mo, int length, boolean last, List<String> problems) {
        if (known) {
            judge(opcode, msn, mo, problems);
        }
        known = true;
        nextMsn = last ? msn + 1 : msn;
        nextMo = last ? 0 : mo + length;
        open = last ? null : opcode;
    }

    private void judge(Opcode opcode, int msn, int mo, List<String> problems) {
        Opcode begun = open;
        if (msn != nextMsn) {
            problems.add("MSN %s, expected %s%s (RFC 5041 section 4.3)"
                    .formatted(
                            Integer.toUnsignedString(msn),
                            Integer.toUnsignedString(nextMsn),
                            begun == null ? "" : ", whose last segment has not come"));
        } else if (begun != null && begun != opcode) {
            problems.add("the message began as %s (RFC 5040 section 4.1)".formatted(Names.title(begun)));
        }
        int expectedMo = msn == nextMsn ? nextMo : 0;
        if (mo != expectedMo) {
            problems.add("MO %s, expected %s (RFC 5041 section 5.2)"
                    .formatted(Integer.toUnsignedString(mo), Integer.toUnsignedString(expectedMo)));
        }
    }
}
