package org.panamaverbs.iwarp.core;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One direction of a TCP connection, in memory, that can be made to misbehave at a chosen octet. Allocates only to
 * grow.
 */
final class Pipe {
    /** No fault. */
    static final long NEVER = Long.MAX_VALUE;

    private byte[] data = new byte[1 << 16];
    private int head;
    private int tail;
    private long written;
    private long read;
    private boolean fin;
    private boolean reset;

    /** The writer has room for so many octets and then no more until it is raised. */
    long window = Long.MAX_VALUE;
    /** The octet at this stream offset is changed by {@link #flipMask}. */
    long flipAt = NEVER;

    int flipMask = 1;
    /** Octets from this offset on are lost, and the reader sees FIN there. */
    long truncateAt = NEVER;
    /** The connection breaks once the reader has got so many octets. */
    long resetAt = NEVER;
    /** The reader gets no octet from this offset on. */
    long stallAt = NEVER;

    /** Takes up to {@code limit} octets of a gather list and returns how many it took. */
    long write(ByteBuffer[] buffers, int offset, int count, long limit) {
        long room = Math.min(limit, window - (tail - head));
        long taken = 0;
        for (int i = offset; i < offset + count && taken < room; i++) {
            ByteBuffer buffer = buffers[i];
            int octets = (int) Math.min(buffer.remaining(), room - taken);
            reserve(octets);
            buffer.get(data, tail, octets);
            if (flipAt >= written && flipAt < written + octets) {
                data[tail + (int) (flipAt - written)] ^= (byte) flipMask;
            }
            tail += octets;
            written += octets;
            taken += octets;
        }
        return taken;
    }

    /** Puts octets in. */
    void write(byte... bytes) {
        write(new ByteBuffer[] {ByteBuffer.wrap(bytes)}, 0, 1, Long.MAX_VALUE);
    }

    private void reserve(int octets) {
        if (tail + octets <= data.length) {
            return;
        }
        int held = tail - head;
        if (held + octets > data.length) {
            data = Arrays.copyOf(data, Math.max(data.length * 2, held + octets));
        }
        System.arraycopy(data, head, data, 0, held);
        head = 0;
        tail = held;
    }

    /** How many octets the reader can have now. */
    long available() {
        long end = Math.min(Math.min(truncateAt, resetAt), stallAt);
        return Math.max(0, Math.min(tail - head, end == NEVER ? Long.MAX_VALUE : end - read));
    }

    /** How many octets were written that neither the reader has nor whoever ended the stream for it. */
    long unacknowledged() {
        return Math.min(tail - head, Math.max(0, truncateAt - read));
    }

    /** Stores up to {@code limit} octets over the buffers, in order, and returns how many. */
    long read(ByteBuffer[] buffers, int count, long limit) {
        long left = Math.min(limit, available());
        long stored = 0;
        for (int i = 0; i < count && left > 0; i++) {
            int octets = (int) Math.min(buffers[i].remaining(), left);
            buffers[i].put(data, head, octets);
            head += octets;
            read += octets;
            left -= octets;
            stored += octets;
        }
        if (head == tail) {
            head = 0;
            tail = 0;
        }
        return stored;
    }

    /** Takes everything out. */
    byte[] drain() {
        byte[] bytes = Arrays.copyOfRange(data, head, tail);
        read += bytes.length;
        head = 0;
        tail = 0;
        return bytes;
    }

    /** The writer shuts its output down. */
    void finish() {
        fin = true;
    }

    /** The connection breaks. */
    void breakDown() {
        reset = true;
        head = 0;
        tail = 0;
    }

    /** Whether the reader sees the end after what it got. */
    boolean ended() {
        return !broken() && (read >= truncateAt || (fin && head == tail)) && read < stallAt;
    }

    boolean finished() {
        return fin;
    }

    boolean broken() {
        return reset || read >= resetAt;
    }

    long writtenOctets() {
        return written;
    }

    long readOctets() {
        return read;
    }
}
