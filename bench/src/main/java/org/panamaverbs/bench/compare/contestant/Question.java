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
    BATCH_64("64 B Sends, in batches of 64", Unit.MESSAGES, 64),
    BATCH_16("64 B Sends, in batches of 16", Unit.MESSAGES, 64),
    WRITE_1M("1 MiB RDMA Write, bandwidth", Unit.OCTETS, 1 << 20),
    READ_1M("1 MiB RDMA Read, 16 outstanding, bandwidth", Unit.OCTETS, 1 << 20),
    HOST_WRITE_64("One host: 64 B RDMA Write, round trip", Unit.MICROSECONDS, 64, Floor.HAND_OVER),
    HOST_SEND_64("One host: 64 B Send/Recv, round trip", Unit.MICROSECONDS, 64, Floor.HAND_OVER),
    HOST_POST_WRITE("One host: 64 B RDMA Write, post to completion", Unit.NANOSECONDS, 64, Floor.HAND_OVER),
    HOST_POST_READ("One host: 64 B RDMA Read, post to completion", Unit.NANOSECONDS, 64, Floor.HAND_OVER),
    HOST_FETCH_ADD("One host: FetchAdd, post to completion", Unit.NANOSECONDS, 8, Floor.HAND_OVER),
    HOST_CMP_SWAP("One host: CmpSwap, post to completion", Unit.NANOSECONDS, 8, Floor.HAND_OVER),
    HOST_BATCH_64("One host: 64 B Sends, in batches of 64", Unit.MESSAGES, 64, Floor.HAND_OVER),
    HOST_WRITE_1M("One host: 1 MiB RDMA Write, bandwidth", Unit.OCTETS, 1 << 20, Floor.MEMCPY),
    HOST_READ_1M("One host: 1 MiB RDMA Read, bandwidth", Unit.OCTETS, 1 << 20, Floor.MEMCPY),
    HOST_BLOCKING_64("One host: 64 B Send/Recv that sleeps, round trip", Unit.MICROSECONDS, 64, Floor.BLOCKING),
    HOST_CONNECT("One host: a connection over the loopback, and its end", Unit.MICROSECONDS, 0, Floor.OURS_BY_TCP),
    HOST_CONNECT_ADDRESS(
            "One host: a connection over an address of this host, and its end",
            Unit.MICROSECONDS,
            0,
            Floor.OURS_BY_TCP),
    CONNECT_ELSEWHERE("A connection to elsewhere, and its end", Unit.MICROSECONDS, 0, Floor.OURS_BY_TCP),
    HOST_ALLOCATION("One host: allocation of a round trip", Unit.ALLOCATED, 0, Floor.NONE);

    /** What is measured before and after the answers to a question. */
    enum Floor {
        TCP("C TCP"),
        HAND_OVER("C hand-over"),
        MEMCPY("C memcpy"),
        BLOCKING("C TCP, blocking"),
        OURS_BY_TCP("Panama Verbs, shm=off"),
        NONE("");

        private final String line;

        Floor(String line) {
            this.line = line;
        }
    }

    private final String title;
    private final Unit unit;
    private final int size;
    private final Place place;
    private final Floor floor;

    Question(String title, Unit unit, int size) {
        this(title, unit, size, Place.NETWORK, Floor.TCP);
    }

    Question(String title, Unit unit, int size, Floor floor) {
        this(title, unit, size, Place.ONE_HOST, floor);
    }

    Question(String title, Unit unit, int size, Place place, Floor floor) {
        this.title = title;
        this.unit = unit;
        this.size = size;
        this.place = place;
        this.floor = floor;
    }

    public String title() {
        return title;
    }

    public Unit unit() {
        return unit;
    }

    /** Returns in which report the question stands. */
    public Place place() {
        return place;
    }

    /** Returns the bytes of a message; 0 where none is passed. */
    int size() {
        return size;
    }

    /** Returns the question whose floor is that of this one: both pass as many bytes, in the same way. */
    public Question floor() {
        return switch (this) {
            case SEND_64, FETCH_ADD, CMP_SWAP, READ_64 -> WRITE_64;
            case READ_1M -> WRITE_1M;
            case HOST_SEND_64, HOST_POST_WRITE, HOST_POST_READ, HOST_FETCH_ADD, HOST_CMP_SWAP -> HOST_WRITE_64;
            case HOST_READ_1M -> HOST_WRITE_1M;
            default -> this;
        };
    }

    /** Returns the line of the floor; nothing else has it, and it is empty where there is no floor. */
    public String floorLine() {
        return floor.line;
    }

    /** Tells whether peers that know messages only, which {@code question} has, stand beside this one, too. */
    public boolean isBeside(Question question) {
        return (this == WRITE_64 && question == SEND_64) || (this == HOST_WRITE_64 && question == HOST_SEND_64);
    }
}
