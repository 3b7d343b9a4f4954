package org.panamaverbs.examples.nvme.wire;

import static org.panamaverbs.examples.nvme.wire.LittleEndian.BYTE;
import static org.panamaverbs.examples.nvme.wire.LittleEndian.INT;
import static org.panamaverbs.examples.nvme.wire.LittleEndian.LONG;
import static org.panamaverbs.examples.nvme.wire.LittleEndian.SHORT;

import java.lang.foreign.MemorySegment;

/**
 * The 64 bytes at the head of a command capsule, where they lie: a submission queue entry.
 *
 * <pre>
 *   0 opcode      1 flags       2 command id (2)     4 namespace id (4); of a fabrics command its type (1)
 *  24 SGL descriptor (16): which memory the data of the command is in
 *  40 command dwords 10 to 15 (4 each), which each opcode has for itself
 * </pre>
 *
 * The descriptor is one of two. A keyed one names memory of the host: {@code address (8), length (3), key (4), type}.
 * One of an offset names data in the capsule, right behind these bytes: {@code offset (8), length (4), 0 (3), type}.
 */
public final class Command {
    /** Bytes of a command without data. */
    public static final int BYTES = 64;
    /** The longest data of a keyed descriptor: its length has 24 bits. */
    public static final int MAX_KEYED_BYTES = (1 << 24) - 1;

    /** Keyed, a plain address: the key stays valid after the command. */
    public static final int KEYED = 0x40;
    /** Keyed, and the response is to invalidate the key. */
    public static final int KEYED_INVALIDATE = 0x4F;
    /** Data in the capsule. */
    public static final int IN_CAPSULE = 0x01;

    // PSDT 01b: the data pointer is an SGL descriptor; all that fabrics know.
    private static final int SGL = 0x40;

    private static final int FLAGS = 1;
    private static final int ID = 2;
    private static final int NAMESPACE = 4;
    private static final int ADDRESS = 24;
    private static final int LENGTH = 32;
    private static final int KEY = 35;
    private static final int TYPE = 39;
    private static final int DWORD_10 = 40;

    private final MemorySegment octets;

    /** Creates a view of the command from {@code at} on in {@code segment}. */
    public Command(MemorySegment segment, long at) {
        octets = segment.asSlice(at, BYTES);
    }

    /** Begins another command, without data; {@code id} comes back in its response. */
    public Command begin(int opcode, int id) {
        octets.fill((byte) 0);
        octets.set(BYTE, 0, (byte) opcode);
        octets.set(BYTE, FLAGS, (byte) SGL);
        octets.set(SHORT, ID, (short) id);
        octets.set(BYTE, TYPE, (byte) KEYED);
        return this;
    }

    /** Begins another fabrics command, of type {@code type}. */
    public Command beginFabrics(int type, int id) {
        begin(Opcode.FABRICS, id);
        octets.set(BYTE, NAMESPACE, (byte) type);
        return this;
    }

    /** Sets the namespace. */
    public Command namespace(int id) {
        octets.set(INT, NAMESPACE, id);
        return this;
    }

    /** Sets command dword {@code number}, 10 to 15. */
    public Command dword(int number, int value) {
        octets.set(INT, at(number), value);
        return this;
    }

    /** Sets command dwords {@code number} and the one behind it. */
    public Command qword(int number, long value) {
        octets.set(LONG, at(number), value);
        return this;
    }

    /** Says that the data is {@code length} bytes of this side's memory; {@code type} is one of the keyed ones. */
    public Command keyed(int type, long address, int length, int key) {
        octets.set(LONG, ADDRESS, address);
        octets.set(INT, LENGTH, length); // 3 bytes: the fourth is the key's first
        octets.set(INT, KEY, key);
        octets.set(BYTE, TYPE, (byte) type);
        return this;
    }

    /** Says that the data is the {@code length} bytes right behind the command. */
    public Command inCapsule(int length) {
        octets.set(LONG, ADDRESS, 0);
        octets.set(INT, KEY, 0);
        octets.set(INT, LENGTH, length);
        octets.set(BYTE, TYPE, (byte) IN_CAPSULE);
        return this;
    }

    /** Returns the opcode. */
    public int opcode() {
        return LittleEndian.unsignedByte(octets, 0);
    }

    /** Tells whether the flags are what fabrics demand: an SGL descriptor, and no fused operation. */
    public boolean hasLegalFlags() {
        return octets.get(BYTE, FLAGS) == SGL;
    }

    /** Returns the id, 0 to 65535. */
    public int id() {
        return LittleEndian.unsignedShort(octets, ID);
    }

    /** Returns the type of a fabrics command. */
    public int fabricsType() {
        return LittleEndian.unsignedByte(octets, NAMESPACE);
    }

    /** Returns the namespace. */
    public int namespace() {
        return octets.get(INT, NAMESPACE);
    }

    /** Returns command dword {@code number}, 10 to 15. */
    public int dword(int number) {
        return octets.get(INT, at(number));
    }

    /** Returns command dwords {@code number} and the one behind it. */
    public long qword(int number) {
        return octets.get(LONG, at(number));
    }

    /** Returns the type of the descriptor. */
    public int sglType() {
        return LittleEndian.unsignedByte(octets, TYPE);
    }

    /** Tells whether the descriptor is a keyed one. */
    public boolean isKeyed() {
        return sglType() == KEYED || sglType() == KEYED_INVALIDATE;
    }

    /** Returns the address of a keyed descriptor, unsigned, or the offset of the data in the capsule. */
    public long address() {
        return octets.get(LONG, ADDRESS);
    }

    /** Returns the length that the descriptor has, 0 or more. */
    public long length() {
        int length = octets.get(INT, LENGTH);
        return isKeyed() ? length & MAX_KEYED_BYTES : Integer.toUnsignedLong(length);
    }

    /** Returns the key of a keyed descriptor. */
    public int key() {
        return octets.get(INT, KEY);
    }

    private static int at(int dword) {
        return DWORD_10 + (dword - 10) * Integer.BYTES;
    }
}
