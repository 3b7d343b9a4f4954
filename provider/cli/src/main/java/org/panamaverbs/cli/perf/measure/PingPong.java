package org.panamaverbs.cli.perf.measure;

/**
 * Both sides in turns: each message of the client is answered by one of the server of the same kind and size. A Write
 * is noticed by its last byte, whose value goes from 1 to 255 and again; 0 is what untouched memory has, so sizes must
 * ascend.
 */
public final class PingPong extends Asking {
    // A poll takes longer than a look at memory.
    private static final int LOOKS_PER_POLL = 32;

    private final int txDepth;
    private final int looksPerPoll;
    private byte mark;
    private long expected;

    /**
     * Creates an exchange.
     *
     * @param placedAlone true if the peer's bytes come into memory without a poll, by an adapter or the kernel
     */
    public PingPong(PerfTest.Operation operation, Lane lane, Tally tally, int txDepth, boolean placedAlone) {
        super(operation, lane, tally);
        this.txDepth = txDepth;
        looksPerPoll = placedAlone ? LOOKS_PER_POLL : 1;
    }

    @Override
    void roundTrip(int size) {
        mark = next(mark);
        expected++;
        send(size);
        if (!arrives(size)) {
            throw new IllegalStateException("the server did not end");
        }
    }

    /** Server: answers {@code count} messages, or until the client says that it is done. */
    public void answer(int size, long count) {
        for (long i = 0; i < count; i++) {
            mark = next(mark);
            expected++;
            if (!arrives(size)) {
                return;
            }
            send(size);
        }
    }

    private static byte next(byte mark) {
        return (byte) (mark == -1 ? 1 : mark + 1);
    }

    private void send(int size) {
        while (lane.posted - lane.completed >= txDepth) {
            tally.advance();
        }
        if (operation == PerfTest.Operation.WRITE) {
            lane.mark(size, mark);
        }
        lane.post(operation, size, 1, true, false);
    }

    /** Waits for the next message; false if the peer is done instead. */
    private boolean arrives(int size) {
        if (operation == PerfTest.Operation.WRITE) {
            return isPlaced(size);
        }
        while (lane.arrived < expected) {
            if (lane.peerDone) {
                return false;
            }
            tally.advance();
        }
        lane.receive();
        return true;
    }

    private boolean isPlaced(int size) {
        int looks = 0;
        while (!lane.isMarked(size, mark)) {
            if (++looks == looksPerPoll) {
                looks = 0;
                if (lane.peerDone) {
                    return false;
                }
                tally.poll();
            }
        }
        tally.moved();
        return true;
    }
}
