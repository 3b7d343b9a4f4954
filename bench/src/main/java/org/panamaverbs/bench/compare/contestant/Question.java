package org.panamaverbs.bench.compare.contestant;

import org.panamaverbs.bench.result.Unit;

/** What is asked of everybody. */
public enum Question {
    WRITE_64("64 B RDMA Write, round trip", Unit.MICROSECONDS, 64),
    SEND_64("64 B Send/Recv, round trip", Unit.MICROSECONDS, 64),
    FETCH_ADD("FetchAdd, round trip", Unit.MICROSECONDS, 8),
    CMP_SWAP("CmpSwap, round trip", Unit.MICROSECONDS, 8),
    READ_64("64 B RDMA Read, round trip", Unit.MICROSECONDS, 64),
    WRITE_4K("4 KiB RDMA Write, round trip", Unit.MICROSECONDS, 4096),
    BLOCKING_64("64 B Send/Recv that sleeps, round trip", Unit.MICROSECONDS, 64),
    BATCH_64("64 B Sends, in batches", Unit.MESSAGES, 64),
    WRITE_1M("1 MiB RDMA Write, bandwidth", Unit.OCTETS, 1 << 20),
    READ_1M("1 MiB RDMA Read, 16 outstanding, bandwidth", Unit.OCTETS, 1 << 20);

    private final String title;
    private final Unit unit;
    private final int size;

    Question(String title, Unit unit, int size) {
        this.title = title;
        this.unit = unit;
        this.size = size;
    }

    public String title() {
        return title;
    }

    public Unit unit() {
        return unit;
    }

    /** Returns the octets of a message. */
    int size() {
        return size;
    }

    /**
     * Returns the question whose measurement in C is the floor of this one: both pass as many octets, in the same way.
     */
    public Question floor() {
        return switch (this) {
            case SEND_64, FETCH_ADD, CMP_SWAP, READ_64 -> WRITE_64;
            case READ_1M -> WRITE_1M;
            default -> this;
        };
    }

    /** Tells whether peers that know messages only, which {@code question} has, stand beside this one, too. */
    public boolean isBeside(Question question) {
        return this == WRITE_64 && question == SEND_64;
    }
}
