package org.panamaverbs.cli.perf.measure;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * Checks beside the time that is measured that the data of a run have arrived as they were sent: the client reads back
 * what the server has, and looks at what the server has sent.
 */
public final class DataCheck {
    private final PerfTest test;
    private final Tally tally;
    private final RegisteredBuffer back;
    private byte stamp;

    /** Creates a check that reads into {@code back}, as long as the longest message and a word at least. */
    public DataCheck(PerfTest test, Tally tally, RegisteredBuffer back) {
        this.test = test;
        this.tally = tally;
        this.back = back;
    }

    /** Before a run: nothing of an earlier one may pass for it. */
    public void begin(Lane lane, int size) {
        if (test.operation() == PerfTest.Operation.READ) {
            lane.out.segment().asSlice(0, size).fill((byte) 0);
        } else if (test.isBandwidth() && !test.operation().isAnswered()) {
            stamp = (byte) (stamp == -1 ? 1 : stamp + 1);
            lane.mark(size, stamp);
        } else if (test.isPingPong()) {
            lane.in.segment().asSlice(0, size).fill((byte) 0);
        }
    }

    /**
     * After a run of {@code lane}.
     *
     * @throws CommandFailure naming the first byte that is not what it should be
     */
    public void end(Lane lane, int size) {
        switch (test.operation()) {
            case READ -> same("read", lane.out, lane.in, size);
            case ATOMIC -> checkCell(lane);
            case WRITE, WRITE_IMM, SEND -> {
                readBack(lane, size);
                same("sent", back, lane.out, size);
                if (test.isPingPong()) {
                    // Both sides send the same, the marks of Writes included.
                    same("received", lane.in, lane.out, size);
                }
            }
        }
    }

    private void checkCell(Lane lane) {
        readBack(lane, Long.BYTES);
        long cell = back.segment().get(ValueLayout.JAVA_LONG, 0);
        if (cell != lane.counted) {
            throw new CommandFailure(
                    "the server's cell counted " + cell + " atomics, expected the client's " + lane.counted);
        }
    }

    private void readBack(Lane lane, int length) {
        lane.readBack(back, length);
        while (lane.reading()) {
            tally.advance();
        }
    }

    private static void same(String how, RegisteredBuffer got, RegisteredBuffer expected, int size) {
        long at = MemorySegment.mismatch(got.segment(), 0, size, expected.segment(), 0, size);
        if (at >= 0) {
            throw new CommandFailure("data of " + size + " bytes " + how + " are wrong: byte " + at + " is "
                    + hex(got, at) + ", expected " + hex(expected, at));
        }
    }

    private static String hex(RegisteredBuffer buffer, long at) {
        return "0x%02x".formatted(buffer.segment().get(ValueLayout.JAVA_BYTE, at));
    }
}
