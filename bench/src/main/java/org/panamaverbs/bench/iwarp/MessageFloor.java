package org.panamaverbs.bench.iwarp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The floor of a message: what RFC 5040, 5041 and 5044 demand of a Send of 64 bytes, from memory to memory on one
 * thread, and nothing else. No locks, no pins, no other opcodes, no splits, no second queue pair.
 */
final class MessageFloor {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt CRC = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int SLOTS = 256;
    private static final int MASK = SLOTS - 1;
    private static final int PAYLOAD = 64;
    private static final int HEADER = 18;
    private static final int LENGTH = HEADER + PAYLOAD;
    // T 0, L 1, DV 1; RV 1, opcode Send.
    private static final long CONTROLS = 0x4143;
    private static final int SIZE = 2 + LENGTH + 4;
    private static final int KEY = 0x507;
    private static final int MAY_READ = 1;
    private static final int MAY_WRITE = 2;

    private final boolean withCrc;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(2L * SLOTS * PAYLOAD, 64);
    private final MemorySegment stream = arena.allocate((long) SLOTS * SIZE, 64);
    private final ByteBuffer streamBuffer = stream.asByteBuffer();
    private final CRC32C crc = new CRC32C();

    // One region: its key, where it lies, what may be done with it.
    private int regionKey = KEY;
    private int regionRights = MAY_READ | MAY_WRITE;

    // Posted sends and receives, and completions: a column for each value.
    private final long[] sendId = new long[SLOTS];
    private final int[] sendAt = new int[SLOTS];
    private final int[] sendKey = new int[SLOTS];
    private int sendHead;
    private int sendTail;
    private final long[] receiveId = new long[SLOTS];
    private final int[] receiveAt = new int[SLOTS];
    private final int[] receiveKey = new int[SLOTS];
    private int receiveHead;
    private int receiveTail;
    private final long[] doneId = new long[SLOTS];
    private final int[] doneOctets = new int[SLOTS];
    private int doneHead;
    private int doneTail;
    private int sendMsn = 1;
    private int receiveMsn = 1;

    MessageFloor(boolean withCrc, int receives) {
        this.withCrc = withCrc;
        for (int i = 0; i < receives; i++) {
            postReceive(i);
        }
    }

    void close() {
        arena.close();
    }

    /** Posts {@code count} Sends and makes FPDUs of them; returns their bytes. */
    int send(int count) {
        for (int i = 0; i < count; i++) {
            int slot = sendTail++ & MASK;
            sendId[slot] = i;
            sendAt[slot] = i * PAYLOAD;
            sendKey[slot] = KEY;
        }
        int at = 0;
        while (sendHead != sendTail) {
            int slot = sendHead++ & MASK;
            require(mayAccess(sendKey[slot], sendAt[slot], MAY_READ));
            stream.set(LONG, at, (long) LENGTH << 48 | CONTROLS << 32);
            stream.set(LONG, at + 8, Integer.toUnsignedLong(sendMsn++));
            stream.set(INT, at + 16, 0);
            MemorySegment.copy(memory, sendAt[slot], stream, at + 2 + HEADER, PAYLOAD);
            stream.set(CRC, at + 2 + LENGTH, checksum(at));
            at += SIZE;
        }
        return at;
    }

    /** Places {@code octets} of FPDUs, polls their completions and posts the receives again; returns how many. */
    int receive(int octets) {
        for (int at = 0; octets - at >= SIZE; at += SIZE) {
            long first = stream.get(LONG, at);
            require(first >>> 32 == ((long) LENGTH << 16 | CONTROLS));
            require(stream.get(LONG, at + 8) == Integer.toUnsignedLong(receiveMsn++));
            require(stream.get(INT, at + 16) == 0 && receiveHead != receiveTail);
            int slot = receiveHead++ & MASK;
            require(mayAccess(receiveKey[slot], receiveAt[slot], MAY_WRITE));
            require(stream.get(CRC, at + 2 + LENGTH) == checksum(at));
            MemorySegment.copy(stream, at + 2 + HEADER, memory, receiveAt[slot], (first >>> 48) - HEADER);
            int done = doneTail++ & MASK;
            doneId[done] = receiveId[slot];
            doneOctets[done] = PAYLOAD;
        }
        int count = 0;
        for (; doneHead != doneTail; count++) {
            int done = doneHead++ & MASK;
            require(doneOctets[done] == PAYLOAD);
            postReceive((int) doneId[done]);
        }
        return count;
    }

    private void postReceive(int id) {
        int slot = receiveTail++ & MASK;
        receiveId[slot] = id;
        receiveAt[slot] = (SLOTS + id) * PAYLOAD;
        receiveKey[slot] = KEY;
    }

    private boolean mayAccess(int key, int at, int right) {
        return key == regionKey && (regionRights & right) != 0 && at >= 0 && at + PAYLOAD <= memory.byteSize();
    }

    private int checksum(int at) {
        if (!withCrc) {
            return 0;
        }
        crc.reset();
        crc.update(streamBuffer.limit(at + 2 + LENGTH).position(at));
        return (int) crc.getValue();
    }

    private static void require(boolean right) {
        if (!right) {
            throw new IllegalStateException("the floor does not hold");
        }
    }
}
