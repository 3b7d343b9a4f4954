package org.panamaverbs.cli.perf.measure;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is measured, by perftest's names. */
public enum PerfTest {
    WRITE_LAT(1, Operation.WRITE, false, "RDMA_Write Latency Test"),
    WRITE_BW(2, Operation.WRITE, true, "RDMA_Write BW Test"),
    WRITE_IMM_LAT(3, Operation.WRITE_IMM, false, "RDMA_Write_With_Immediate Latency Test"),
    WRITE_IMM_BW(4, Operation.WRITE_IMM, true, "RDMA_Write_With_Immediate BW Test"),
    READ_LAT(5, Operation.READ, false, "RDMA_Read Latency Test"),
    READ_BW(6, Operation.READ, true, "RDMA_Read BW Test"),
    SEND_LAT(7, Operation.SEND, false, "Send Latency Test"),
    SEND_BW(8, Operation.SEND, true, "Send BW Test"),
    ATOMIC_LAT(9, Operation.ATOMIC, false, "Atomic Latency Test"),
    ATOMIC_BW(10, Operation.ATOMIC, true, "Atomic BW Test");

    /** The operation of a test. */
    public enum Operation {
        WRITE,
        WRITE_IMM,
        READ,
        SEND,
        ATOMIC;

        /** Tells whether each one takes a receive of the peer. */
        public boolean takesReceive() {
            return this == SEND || this == WRITE_IMM;
        }

        /** Tells whether it completes with an answer of the peer. */
        public boolean isAnswered() {
            return this == READ || this == ATOMIC;
        }
    }

    private final int code;
    private final Operation operation;
    private final boolean bandwidth;
    private final String title;

    PerfTest(int code, Operation operation, boolean bandwidth, String title) {
        this.code = code;
        this.operation = operation;
        this.bandwidth = bandwidth;
        this.title = title;
    }

    /** Returns the test called {@code name}: {@code write_lat}, or as perftest has it {@code ib_write_lat}. */
    public static Optional<PerfTest> named(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceFirst("^ib_", "");
        String full = plain.equals("write_imm") ? "write_imm_lat" : plain;
        return Arrays.stream(values()).filter(test -> test.id().equals(full)).findFirst();
    }

    /** Returns the test that a hello calls {@code code}. */
    public static Optional<PerfTest> ofCode(int code) {
        return Arrays.stream(values()).filter(test -> test.code == code).findFirst();
    }

    /** Returns what a hello calls it, 1 to 255. */
    public int code() {
        return code;
    }

    /** Returns the names of all. */
    public static String names() {
        return Arrays.stream(values()).map(PerfTest::id).collect(Collectors.joining(", "));
    }

    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Operation operation() {
        return operation;
    }

    /** Tells whether it measures bandwidth, not latency. */
    public boolean isBandwidth() {
        return bandwidth;
    }

    /** Tells whether both sides take turns. */
    public boolean isPingPong() {
        return !bandwidth && !operation.isAnswered();
    }

    public String title() {
        return title;
    }
}
