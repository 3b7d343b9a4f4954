package org.panamaverbs.cli.perf.measure;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * The words behind the messages of a lane, in network order: what the peer writes there, and what it reads. Used by one
 * thread, but for {@link #publish}.
 *
 * <pre>
 * 0   how many messages the peer has taken, for the next ones to be sent    written by the peer
 * 8   how many messages have arrived here                                   read by the peer
 * 16  the number of the peer's report                                       written by the peer, last
 * 24  the peer's average and peak, messages a second                        written by the peer
 * 40  1 once the compilers here have been idle for a second                 read by the peer
 * </pre>
 *
 * A second area of the same form holds what is on its way to the peer.
 */
final class Control {
    /** Bytes of the area. */
    static final int BYTES = 48;

    static final int TAKEN = 0;
    static final int ARRIVED = 8;
    static final int REPORT = 16;
    static final int RATES = 24;
    static final int PEAK = RATES + Long.BYTES;
    /** Bytes of the rates. */
    static final int RATES_BYTES = 16;

    static final int COMPILED = 40;

    private static final VarHandle WORD =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN).varHandle();

    private final RegisteredBuffer in;
    private final long base;
    private final RegisteredBuffer out;

    /** Creates the control words in {@code in} from {@code base}, a multiple of 8; {@code out} has {@link #BYTES}. */
    Control(RegisteredBuffer in, long base, RegisteredBuffer out) {
        this.in = in;
        this.base = base;
        this.out = out;
    }

    /** Returns where an area begins that follows {@code largest} bytes. */
    static long baseBehind(int largest) {
        return ((long) largest + Long.BYTES - 1) & -Long.BYTES;
    }

    /** Returns the buffer whose words go to the peer, or come from there by a Read. */
    RegisteredBuffer outgoing() {
        return out;
    }

    /** Returns where {@code word} is in the peer's buffer, which has the same form. */
    long remoteOffset(int word) {
        return base + word;
    }

    /** Returns what the peer has written of {@code word}. */
    long written(int word) {
        return (long) WORD.getAcquire(in.segment(), base + word);
    }

    /** Returns what a Read of the peer's {@code word} has brought. */
    long brought(int word) {
        return (long) WORD.getAcquire(out.segment(), (long) word);
    }

    /** Lets the peer read {@code word}; by any thread while the lane is open. */
    void publish(int word, long value) {
        WORD.setRelease(in.segment(), base + word, value);
    }

    /** Puts a word on its way. */
    void set(int word, long value) {
        WORD.set(out.segment(), (long) word, value);
    }
}
