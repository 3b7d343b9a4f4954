package org.panamaverbs.cli.decode.iwarp;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.cli.decode.dissect.Hexadecimal;
import org.panamaverbs.iwarp.wire.AtomicRequestView;
import org.panamaverbs.iwarp.wire.AtomicResponseView;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.ReadRequestView;
import org.panamaverbs.iwarp.wire.TaggedView;
import org.panamaverbs.iwarp.wire.UntaggedView;

/**
 * Judges the segments of one direction by those before them, and answers by the other side's requests. Each breach is
 * told once: what follows is judged by what was sent, not by what should have been.
 */
final class MessageCheck {
    private final UntaggedQueue[] queues = new UntaggedQueue[Opcode.QUEUES];
    private final TaggedMessages writes = new TaggedMessages();
    private final Requests requests;
    private final Requests asked;
    private boolean terminated;

    /**
     * Begins with the first segment of the connection, unless that is found to be missing.
     *
     * @param requests those of this direction
     * @param asked those of the other side, which this direction answers
     */
    MessageCheck(Requests requests, Requests asked) {
        this.requests = requests;
        this.asked = asked;
        for (int i = 0; i < queues.length; i++) {
            queues[i] = new UntaggedQueue();
        }
    }

    /** Segments are missing here. */
    void gap() {
        for (UntaggedQueue queue : queues) {
            queue.forget();
        }
        writes.forget();
        requests.giveUp();
        asked.loseStep();
    }

    /**
     * Takes the next segment, whose header is sound.
     *
     * @param inOrder whether the other side's requests, as far as this side has had them, are all known
     * @param problems gets what is wrong
     */
    void segment(FpduImage image, boolean inOrder, List<String> problems) {
        byte[] ulpdu = image.ulpdu();
        MemorySegment segment = MemorySegment.ofArray(ulpdu);
        Opcode opcode = Opcode.ofControl(ulpdu[DdpHeader.RDMAP_CONTROL]);
        if (opcode == null) {
            gap();
            return;
        }
        if (terminated) {
            problems.add("is sent after a Terminate (RFC 5040 section 5.4)");
        }
        if (opcode.tagged()) {
            TaggedView view = new TaggedView().wrap(segment, 0, ulpdu.length);
            tagged(opcode, view, inOrder, problems);
        } else {
            UntaggedView view = new UntaggedView().wrap(segment, 0, ulpdu.length);
            boolean one = !opcode.hasPayload(); // several segments of such are told of elsewhere
            queues[opcode.queue()].segment(
                    opcode, view.msn(), one ? 0 : view.mo(), view.payloadLength(), one || view.last(), problems);
            header(opcode, view.msn(), segment, image.knownBytes(), inOrder, problems);
        }
        terminated |= opcode == Opcode.TERMINATE;
    }

    private void tagged(Opcode opcode, TaggedView view, boolean inOrder, List<String> problems) {
        if (opcode == Opcode.READ_RESPONSE) {
            asked.readResponse(view.stag(), view.to(), view.payloadLength(), view.last(), inOrder, problems);
        } else {
            writes.segment(view.stag(), view.to(), view.payloadLength(), view.last(), problems);
        }
    }

    private void header(
            Opcode opcode, int msn, MemorySegment ulpdu, int known, boolean inOrder, List<String> problems) {
        boolean there = known >= DdpHeader.UNTAGGED_BYTES + opcode.headerBytes();
        switch (opcode) {
            case READ_REQUEST -> {
                if (there) {
                    ReadRequestView view = new ReadRequestView().wrap(ulpdu, DdpHeader.UNTAGGED_BYTES);
                    requests.read(msn, view.sinkStag(), view.sinkTo(), view.size());
                } else {
                    requests.giveUp();
                }
            }
            case ATOMIC_REQUEST -> {
                if (there) {
                    AtomicRequestView view = new AtomicRequestView().wrap(ulpdu, DdpHeader.UNTAGGED_BYTES);
                    requests.atomic(msn, view.requestId());
                } else {
                    requests.giveUp();
                }
            }
            case ATOMIC_RESPONSE -> {
                if (there) {
                    AtomicResponseView view = new AtomicResponseView().wrap(ulpdu, DdpHeader.UNTAGGED_BYTES);
                    asked.atomicResponse(view.requestId(), inOrder, problems);
                } else {
                    asked.loseStep();
                }
            }
            default -> {}
        }
    }

    /** The RDMA Writes that one side sends: whether the segments of each follow one another in one buffer. */
    private static final class TaggedMessages {
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
                problems.add("STag %s TO %s, expected %s and %s, where the message continues (RFC 5041 section 5.2)"
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

    /** The messages that one side sends to one untagged queue: whether each goes on where the last one ended. */
    private static final class UntaggedQueue {
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
                problems.add("the message began as %s (RFC 5040 section 4.1)".formatted(begun.title()));
            }
            int expectedMo = msn == nextMsn ? nextMo : 0;
            if (mo != expectedMo) {
                problems.add("MO %s, expected %s (RFC 5041 section 5.2)"
                        .formatted(Integer.toUnsignedString(mo), Integer.toUnsignedString(expectedMo)));
            }
        }
    }
}
