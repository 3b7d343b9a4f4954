package org.panamaverbs.api.cm;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.memory.STag;

/**
 * The headers of the DDP segment at fault, without payload: returned by the peer in its Terminate (RFC 5040 §4.8), or
 * those of the received segment if this side detected the error.
 */
public sealed interface TerminatedSegment {
    /** The value of {@link #octets()} if the peer did not report it. */
    int UNKNOWN_LENGTH = -1;

    /** The RDMAP messages (RFC 5040 §4.1, RFC 7306 §4.1). */
    enum Message {
        /** Opcode 0. */
        RDMA_WRITE("RDMA Write"),
        /** Opcode 1. */
        READ_REQUEST("RDMA Read Request"),
        /** Opcode 2. */
        READ_RESPONSE("RDMA Read Response"),
        /** Opcode 3. */
        SEND("Send"),
        /** Opcode 4. */
        SEND_WITH_INVALIDATE("Send with Invalidate"),
        /** Opcode 5. */
        SEND_SOLICITED("Send with Solicited Event"),
        /** Opcode 6. */
        SEND_SOLICITED_WITH_INVALIDATE("Send with Solicited Event and Invalidate"),
        /** Opcode 7. */
        TERMINATE("Terminate"),
        /** Opcode 8. */
        IMMEDIATE("Immediate Data"),
        /** Opcode 9. */
        IMMEDIATE_SOLICITED("Immediate Data with Solicited Event"),
        /** Opcode 10. */
        ATOMIC_REQUEST("Atomic Request"),
        /** Opcode 11. */
        ATOMIC_RESPONSE("Atomic Response"),
        /** Opcodes 12 to 15. */
        UNASSIGNED("message with an unassigned opcode");

        private final String text;

        Message(String text) {
            this.text = text;
        }

        /** Returns the message with {@code opcode}, of which the low 4 bits count. */
        public static Message of(int opcode) {
            Message[] all = values();
            return all[Math.min(opcode & 0xF, all.length - 1)];
        }

        /** Returns the name in the RFCs. */
        public String text() {
            return text;
        }
    }

    /** Returns the RDMAP opcode, 0 to 15. */
    int opcode();

    /** Returns the message of {@link #opcode()}. */
    default Message message() {
        return Message.of(opcode());
    }

    /** Returns whether the segment is the last of its message. */
    boolean last();

    /** Returns the length of the whole DDP segment in bytes, headers and payload, or {@link #UNKNOWN_LENGTH}. */
    int octets();

    /**
     * A segment of an RDMA Write or Read Response (RFC 5041 §4.2).
     *
     * @param opcode the RDMAP opcode
     * @param last whether it is the last of its message
     * @param octets the segment's length in bytes, or {@link #UNKNOWN_LENGTH}
     * @param stag the STag of the target
     * @param taggedOffset the tagged offset of the target, unsigned
     */
    record Tagged(int opcode, boolean last, int octets, STag stag, long taggedOffset) implements TerminatedSegment {
        /** Returns for example {@code RDMA Write to STag 0x12345678 at 0x1000, segment of 78 bytes}. */
        @Override
        public String toString() {
            return "%s to STag %s at 0x%x%s".formatted(message().text(), stag, taggedOffset, length(octets));
        }
    }

    /**
     * A segment of any other message (RFC 5041 §4.3).
     *
     * @param opcode the RDMAP opcode
     * @param last whether it is the last of its message
     * @param octets the segment's length in bytes, or {@link #UNKNOWN_LENGTH}
     * @param queueNumber 0 for Sends and Immediate Data, 1 Read and Atomic Requests, 2 Terminate, 3 Atomic Responses; 0
     *     to 2^32-1
     * @param msn the message sequence number on that queue, 0 to 2^32-1
     * @param mo the offset within the message, 0 to 2^32-1
     * @param invalidateStag the STag to invalidate; null for messages that invalidate none
     * @param request the body of a Read or Atomic Request; null for others, or if it is missing
     */
    record Untagged(
            int opcode,
            boolean last,
            int octets,
            long queueNumber,
            long msn,
            long mo,
            @Nullable STag invalidateStag,
            @Nullable Request request)
            implements TerminatedSegment {
        /** Returns the body of a Read or Atomic Request, if present. */
        public Optional<Request> asked() {
            return Optional.ofNullable(request);
        }

        /** Returns for example {@code Send, queue 0, MSN 9, MO 0, segment of 23 bytes}. */
        @Override
        public String toString() {
            return "%s%s, queue %d, MSN %d, MO %d%s%s"
                    .formatted(
                            message().text(),
                            invalidateStag == null ? "" : " of STag " + invalidateStag,
                            queueNumber,
                            msn,
                            mo,
                            length(octets),
                            request == null ? "" : ": " + request);
        }
    }

    /** The body of a request for the responder's memory. */
    sealed interface Request {
        /** Returns the STag of the responder's memory. */
        STag sourceStag();

        /** Returns the tagged offset of the source, unsigned. */
        long sourceOffset();

        /** Returns the length in bytes. */
        long octets();
    }

    /**
     * An RDMA Read (RFC 5040 §4.4).
     *
     * @param sinkStag the STag of the sink
     * @param sinkOffset the tagged offset of the sink, unsigned
     * @param octets the length in bytes, 0 to 2^32-1; the remainder if the responder had answered a part
     * @param sourceStag the STag of the source
     * @param sourceOffset the tagged offset of the source, unsigned
     */
    record ReadRequest(STag sinkStag, long sinkOffset, long octets, STag sourceStag, long sourceOffset)
            implements Request {
        @Override
        public String toString() {
            return "%d bytes of STag %s at 0x%x to STag %s at 0x%x"
                    .formatted(octets, sourceStag, sourceOffset, sinkStag, sinkOffset);
        }
    }

    /**
     * An atomic (RFC 7306 §5.2.1).
     *
     * @param operation the AOpCode, 0 to 15: 0 FetchAdd, 2 CmpSwap, 1 Swap of draft-ietf-storm-rdmap-ext-01
     * @param requestId the identifier that the response repeats
     * @param sourceStag the STag of the cell
     * @param sourceOffset the tagged offset of the cell, unsigned
     */
    record AtomicRequest(int operation, int requestId, STag sourceStag, long sourceOffset) implements Request {
        @Override
        public long octets() {
            return Long.BYTES;
        }

        @Override
        public String toString() {
            String name = switch (operation) {
                case 0 -> "FetchAdd";
                case 1 -> "AOpCode 1, the Swap of a draft,";
                case 2 -> "CmpSwap";
                default -> "AOpCode " + operation;
            };
            return "%s on STag %s at 0x%x".formatted(name, sourceStag, sourceOffset);
        }
    }

    private static String length(int octets) {
        return octets == UNKNOWN_LENGTH ? "" : ", segment of " + octets + " bytes";
    }
}
