package org.panamaverbs.iwarp.core;

import java.nio.ByteBuffer;

/** DDP segments octet by octet, right or wrong as a test wants them; independent of the wire layer's emitters. */
final class Segments {
    static final int WRITE = 0x0;
    static final int READ_REQUEST = 0x1;
    static final int READ_RESPONSE = 0x2;
    static final int SEND = 0x3;
    static final int SEND_INVALIDATE = 0x4;
    static final int SEND_SE = 0x5;
    static final int SEND_SE_INVALIDATE = 0x6;
    static final int TERMINATE = 0x7;
    static final int IMMEDIATE = 0x8;
    static final int IMMEDIATE_SE = 0x9;
    static final int ATOMIC_REQUEST = 0xA;
    static final int ATOMIC_RESPONSE = 0xB;

    private static final int DDP = 0x01;
    private static final int TAGGED = 0x80;
    private static final int LAST = 0x40;
    private static final int RDMAP = 0x40;

    private Segments() {}

    static byte[] tagged(int opcode, int stag, long to, boolean last, byte... payload) {
        return ByteBuffer.allocate(14 + payload.length)
                .put((byte) (TAGGED | (last ? LAST : 0) | DDP))
                .put((byte) (RDMAP | opcode))
                .putInt(stag)
                .putLong(to)
                .put(payload)
                .array();
    }

    static byte[] write(int stag, long to, byte... payload) {
        return tagged(WRITE, stag, to, true, payload);
    }

    static byte[] untagged(int opcode, int invalidate, int qn, int msn, int mo, boolean last, byte... payload) {
        return ByteBuffer.allocate(18 + payload.length)
                .put((byte) ((last ? LAST : 0) | DDP))
                .put((byte) (RDMAP | opcode))
                .putInt(invalidate)
                .putInt(qn)
                .putInt(msn)
                .putInt(mo)
                .put(payload)
                .array();
    }

    static byte[] send(int msn, byte... payload) {
        return untagged(SEND, 0, 0, msn, 0, true, payload);
    }

    static byte[] sendInvalidate(int msn, int stag, byte... payload) {
        return untagged(SEND_INVALIDATE, stag, 0, msn, 0, true, payload);
    }

    static byte[] immediate(int msn, byte... payload) {
        return untagged(IMMEDIATE, 0, 0, msn, 0, true, payload);
    }

    static byte[] readHeader(int sinkStag, long sinkTo, int size, int sourceStag, long sourceTo) {
        return ByteBuffer.allocate(28)
                .putInt(sinkStag)
                .putLong(sinkTo)
                .putInt(size)
                .putInt(sourceStag)
                .putLong(sourceTo)
                .array();
    }

    static byte[] readRequest(int msn, int sinkStag, long sinkTo, int size, int sourceStag, long sourceTo) {
        return untagged(READ_REQUEST, 0, 1, msn, 0, true, readHeader(sinkStag, sinkTo, size, sourceStag, sourceTo));
    }

    static byte[] readResponse(int sinkStag, long sinkTo, boolean last, byte... payload) {
        return tagged(READ_RESPONSE, sinkStag, sinkTo, last, payload);
    }

    static byte[] atomicHeader(
            int operationWord, int requestId, int stag, long to, long data, long mask, long compare, long compareMask) {
        return ByteBuffer.allocate(52)
                .putInt(operationWord)
                .putInt(requestId)
                .putInt(stag)
                .putLong(to)
                .putLong(data)
                .putLong(mask)
                .putLong(compare)
                .putLong(compareMask)
                .array();
    }

    static byte[] fetchAdd(int msn, int requestId, int stag, long to, long add) {
        return untagged(ATOMIC_REQUEST, 0, 1, msn, 0, true, atomicHeader(0, requestId, stag, to, add, 0, 0, -1L));
    }

    static byte[] cmpSwap(int msn, int requestId, int stag, long to, long compare, long swap) {
        return untagged(
                ATOMIC_REQUEST, 0, 1, msn, 0, true, atomicHeader(2, requestId, stag, to, swap, -1L, compare, -1L));
    }

    static byte[] atomicResponse(int msn, int requestId, long original) {
        byte[] body =
                ByteBuffer.allocate(12).putInt(requestId).putLong(original).array();
        return untagged(ATOMIC_RESPONSE, 0, 3, msn, 0, true, body);
    }

    static byte[] terminate(int layer, int type, int code, int flags, byte... more) {
        byte[] body = ByteBuffer.allocate(4 + more.length)
                .put((byte) (layer << 4 | type))
                .put((byte) code)
                .put((byte) flags)
                .put((byte) 0)
                .put(more)
                .array();
        return untagged(TERMINATE, 0, 2, 1, 0, true, body);
    }

    /** The same segment with bits of one octet turned over. */
    static byte[] flip(byte[] segment, int index, int mask) {
        byte[] copy = segment.clone();
        copy[index] ^= (byte) mask;
        return copy;
    }

    /** A segment's fields, for reading what a stream sent. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Parsed(byte[] octets) {
        boolean tagged() {
            return (octets[0] & TAGGED) != 0;
        }

        boolean last() {
            return (octets[0] & LAST) != 0;
        }

        int opcode() {
            return octets[1] & 0x0F;
        }

        int stag() {
            return at(2);
        }

        long to() {
            return ByteBuffer.wrap(octets).getLong(6);
        }

        int qn() {
            return at(6);
        }

        int msn() {
            return at(10);
        }

        int mo() {
            return at(14);
        }

        byte[] payload() {
            return java.util.Arrays.copyOfRange(octets, tagged() ? 14 : 18, octets.length);
        }

        int at(int offset) {
            return ByteBuffer.wrap(octets).getInt(offset);
        }

        long longAt(int offset) {
            return ByteBuffer.wrap(octets).getLong(offset);
        }

        boolean isTerminate() {
            return !tagged() && opcode() == TERMINATE;
        }

        /** A Terminate's layer, type and code, written as {@code 1/2/02}. */
        String code() {
            return "%x/%x/%02x".formatted((octets[18] & 0xF0) >>> 4, octets[18] & 0x0F, octets[19] & 0xFF);
        }

        /** A Terminate's M, D and R, as they stand in octet 20. */
        int flags() {
            return octets[20] & 0xFF;
        }
    }
}
