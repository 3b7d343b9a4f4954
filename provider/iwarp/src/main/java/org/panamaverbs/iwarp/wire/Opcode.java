package org.panamaverbs.iwarp.wire;

import org.jspecify.annotations.Nullable;

/**
 * The twelve RDMAP messages (RFC 5040 §4.1, RFC 7306 §4.1) and the RDMAP control octet that names them:
 *
 * <pre>
 *   7 6   5 4   3 2 1 0
 *  | RV  | Rsv | Opcode |      RV = 01 for RFC 5040 and RFC 7306, 00 for the RDMA Consortium's specification
 * </pre>
 *
 * <p>Opcodes 1100b to 1110b are unassigned and 1111b is experimental; neither is accepted.
 */
public enum Opcode {
    /** RDMA Write: tagged, carries payload. */
    RDMA_WRITE(0x0, -1, 0, "RDMA Write"),
    /** RDMA Read Request, queue 1. */
    READ_REQUEST(0x1, 1, ReadRequestView.BYTES, "RDMA Read Request"),
    /** RDMA Read Response: tagged, carries payload. */
    READ_RESPONSE(0x2, -1, 0, "RDMA Read Response"),
    /** Send, queue 0. */
    SEND(0x3, 0, 0, "Send"),
    /** Send with Invalidate, queue 0. */
    SEND_INVALIDATE(0x4, 0, 0, "Send with Invalidate"),
    /** Send with Solicited Event, queue 0. */
    SEND_SE(0x5, 0, 0, "Send with SE"),
    /** Send with Solicited Event and Invalidate, queue 0. */
    SEND_SE_INVALIDATE(0x6, 0, 0, "Send with SE and Invalidate"),
    /** Terminate, queue 2; its header has a variable length. */
    TERMINATE(0x7, 2, 0, "Terminate"),
    /** Immediate Data, queue 0 (RFC 7306 §6.2). */
    IMMEDIATE(0x8, 0, ImmediateDataView.BYTES, "Immediate Data"),
    /** Immediate Data with Solicited Event, queue 0 (RFC 7306 §6.2). */
    IMMEDIATE_SE(0x9, 0, ImmediateDataView.BYTES, "Immediate Data with SE"),
    /** Atomic Request, queue 1 (RFC 7306 §5.2.1). */
    ATOMIC_REQUEST(0xA, 1, AtomicRequestView.BYTES, "Atomic Request"),
    /** Atomic Response, queue 3 (RFC 7306 §5.2.2). */
    ATOMIC_RESPONSE(0xB, 3, AtomicResponseView.BYTES, "Atomic Response");

    /** Untagged queue of Sends and Immediate Data. */
    public static final int QN_SEND = 0;
    /** Untagged queue of Read Requests and Atomic Requests. */
    public static final int QN_REQUEST = 1;
    /** Untagged queue of the Terminate. */
    public static final int QN_TERMINATE = 2;
    /** Untagged queue of Atomic Responses (RFC 7306 §5.2). */
    public static final int QN_ATOMIC_RESPONSE = 3;
    /** Number of untagged queues. */
    public static final int QUEUES = 4;

    /** The RDMAP version of RFC 5040, as it stands in RV. */
    public static final int RDMAP_VERSION = 1;

    private static final int VERSION_SHIFT = 6;
    private static final int RESERVED_SHIFT = 4;
    private static final int RESERVED_MASK = 0x03;
    private static final int CODE_MASK = 0x0F;

    // Index is the four-bit code; C to F stay null.
    private static final @Nullable Opcode[] BY_CODE = new @Nullable Opcode[CODE_MASK + 1];

    static {
        for (Opcode opcode : values()) {
            BY_CODE[opcode.code] = opcode;
        }
    }

    private final int code;
    private final int queue;
    private final int headerBytes;
    private final String title;

    Opcode(int code, int queue, int headerBytes, String title) {
        this.code = code;
        this.queue = queue;
        this.headerBytes = headerBytes;
        this.title = title;
    }

    /**
     * The opcode with this number, or null for an unassigned one. Only the low four bits of {@code code} are looked at.
     */
    public static @Nullable Opcode of(int code) {
        return BY_CODE[code & CODE_MASK];
    }

    /** The opcode in an RDMAP control octet, or null for an unassigned one. The version is not looked at. */
    public static @Nullable Opcode ofControl(int control) {
        return BY_CODE[control & CODE_MASK];
    }

    /** RV of an RDMAP control octet, 0..3. */
    public static int version(int control) {
        return (control & 0xFF) >>> VERSION_SHIFT;
    }

    /** The two reserved bits of an RDMAP control octet, 0..3; 0 on transmit. */
    public static int reserved(int control) {
        return control >>> RESERVED_SHIFT & RESERVED_MASK;
    }

    /** The number on the wire, 0..11. */
    public int code() {
        return code;
    }

    /** The RDMAP control octet: version 1, reserved bits 0, this opcode. */
    public int control() {
        return RDMAP_VERSION << VERSION_SHIFT | code;
    }

    /** True for the messages that travel in tagged segments: RDMA Write and RDMA Read Response. */
    public boolean tagged() {
        return queue < 0;
    }

    /** The untagged queue number, 0..3, or -1 for a tagged message. */
    public int queue() {
        return queue;
    }

    /** Length of the fixed header behind the DDP header, in octets; 0 for payload messages and for the Terminate. */
    public int headerBytes() {
        return headerBytes;
    }

    /** The name of the message in RFC 5040 §4.3 and RFC 7306 §4. */
    public String title() {
        return title;
    }

    /**
     * What to terminate with if a message that consists of a fixed header, as the receiver checks it (RFC 7306 §6.3),
     * has this many octets, or null when that is right.
     */
    public @Nullable TerminateCode checkLength(long messageLength) {
        return TerminateCode.forFixedLength(messageLength, headerBytes);
    }

    /** True for the messages that carry ULP payload of any length: Write, Read Response and the four Sends. */
    public boolean hasPayload() {
        return headerBytes == 0 && this != TERMINATE;
    }

    /** True for the four Sends. */
    public boolean isSend() {
        return code >= SEND.code && code <= SEND_SE_INVALIDATE.code;
    }

    /** True for the two messages of Immediate Data. */
    public boolean hasImmediate() {
        return this == IMMEDIATE || this == IMMEDIATE_SE;
    }

    /** True when the segment's RsvdULP field carries an STag to invalidate. */
    public boolean invalidates() {
        return this == SEND_INVALIDATE || this == SEND_SE_INVALIDATE;
    }

    /** True when delivery raises a Solicited Event. */
    public boolean solicits() {
        return this == SEND_SE || this == SEND_SE_INVALIDATE || this == IMMEDIATE_SE;
    }

    /** Tells whether the message consumes a posted receive: Sends and Immediate Data. */
    public boolean consumesReceive() {
        return queue == QN_SEND;
    }
}
