package org.panamaverbs.iwarp.core;

import static org.panamaverbs.iwarp.core.Attack.EIGHT;
import static org.panamaverbs.iwarp.core.Attack.M_D_R;
import static org.panamaverbs.iwarp.core.HostileFixture.BASE;
import static org.panamaverbs.iwarp.core.HostileFixture.BYTES;
import static org.panamaverbs.iwarp.core.HostileFixture.UNKNOWN_STAG;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** What a peer must not do to memory: Writes, Reads, atomics and invalidations that it has no right to. */
final class MemoryAttacks {
    private static final String WRITES = "Writes";
    private static final String READS = "Reads";
    private static final String ATOMICS = "Atomics";
    private static final String INVALIDATIONS = "Invalidations";

    private static final List<Attack> ATTACKS = new ArrayList<>();

    private MemoryAttacks() {}

    static {
        writesWithWrongKeys();
        writesOutOfBounds();
        reads();
        misalignedAtomics();
        atomics();
        invalidations();
    }

    // RFC 5041 §7.1, §8.2; RFC 5040 §8.1.1.
    private static void writesWithWrongKeys() {
        write("to unknown STag", "1/1/00", f -> UNKNOWN_STAG, f -> BASE, "DDP-7.1-T1-01", "RDMAP-5.1-03");
        write("to STag 0", "1/1/00", f -> 0, f -> BASE, "DDP-7.1-T1-01", "DDP-4.2-04");
        for (int bit = 0; bit < 8; bit++) {
            int key = 1 << bit;
            write(
                    "with key bit %d wrong".formatted(bit),
                    "1/1/00",
                    f -> f.open.stag() ^ key,
                    f -> BASE,
                    "DDP-7.1-T1-01",
                    "DDP-4.2-04");
        }
        write(
                "to a revoked STag",
                "1/1/00",
                f -> f.revoked.stag(),
                f -> f.revoked.base,
                "DDP-7.1-T1-01",
                "DDP-7.1-T2-01");
        write("to an unbound window", "1/1/00", f -> f.unbound.stag(), f -> BASE, "DDP-7.1-T1-01", "DDP-8.2-03");
        write(
                "into another domain",
                "1/1/02",
                f -> f.foreign.stag(),
                f -> f.foreign.base,
                "DDP-8.2-01",
                "DDP-8.3.1-01",
                "RDMAP-8.1.1-1-01",
                "SEC-6.1.1-02");
        write(
                "into another stream's window",
                "1/1/02",
                f -> f.othersWindow.stag(),
                f -> BASE,
                "DDP-8.2-02",
                "DDP-8.3.1-01",
                "DDP-8.3-3-01",
                "RDMAP-8.1.1-2-01",
                "SEC-6.1.1-03");
        write(
                "without right",
                "1/1/00",
                f -> f.readOnly.stag(),
                f -> f.readOnly.base,
                "DDP-7.1-T2-01",
                "DDP-8.3.1-01",
                "RDMAP-4.8-13");
        write("to local memory", "1/1/00", f -> f.local.stag(), f -> f.local.base, "DDP-7.1-T2-01", "RDMAP-4.8-13");
    }

    private static void writesOutOfBounds() {
        writeAt("one octet before", "1/1/01", BASE - 1, EIGHT, "DDP-7.1-T3-01", "SEC-6.2.1-01");
        writeAt(
                "one octet beyond",
                "1/1/01",
                BASE + BYTES - 7,
                EIGHT,
                "DDP-7.1-T4-01",
                "DDP-7.1-01",
                "DDP-8.3.1-01",
                "RDMAP-8.1.1-3-01",
                "SEC-6.2.1-01");
        writeAt("behind", "1/1/01", BASE + BYTES, new byte[] {1}, "DDP-7.1-T3-01");
        writeAt("far away", "1/1/01", Long.MIN_VALUE, EIGHT, "DDP-7.1-T3-01");
        writeAt("longer than all", "1/1/01", BASE, new byte[BYTES + 1], "DDP-7.1-T4-01");
        writeAt("that wraps", "1/1/03", -4, EIGHT, "DDP-7.1-T5-01", "DDP-8.3.1-01");
        write(
                "past a window's end",
                "1/1/01",
                f -> f.window.stag(),
                f -> BASE + BYTES - 7,
                "DDP-7.1-T4-01",
                "RDMAP-8.1.1-3-01");
        ATTACKS.add(Attack.inSteps(
                WRITES,
                "second segment of a Write beyond",
                4,
                "1/1/01",
                f -> new byte[][] {
                    Segments.tagged(Segments.WRITE, f.open.stag(), BASE, false),
                    Segments.write(f.open.stag(), BASE + BYTES, (byte) 1)
                },
                "DDP-7.1-T3-01"));
    }

    private static void writeAt(String name, String code, long to, byte[] data, String... rows) {
        ATTACKS.add(Attack.of(WRITES, "Write " + name, code, f -> Segments.write(f.open.stag(), to, data), rows));
    }

    private static void write(
            String name,
            String code,
            Function<HostileFixture, Integer> stag,
            Function<HostileFixture, Long> to,
            String... rows) {
        ATTACKS.add(
                Attack.of(WRITES, "Write " + name, code, f -> Segments.write(stag.apply(f), to.apply(f), EIGHT), rows));
    }

    private static void read(String name, String code, Function<HostileFixture, byte[]> request, String... rows) {
        List<String> all = new ArrayList<>(List.of(rows));
        all.addAll(List.of("RDMAP-5.2.1-04", "RDMAP-5.2.1-12", "RDMAP-7.1-3-01", "RDMAP-4.8-10", "RDMAP-4.8-12"));
        ATTACKS.add(Attack.of(READS, "Read " + name, code, M_D_R, request, all.toArray(String[]::new)));
    }

    private static byte[] request(int bytes, int stag, long to) {
        return Segments.readRequest(1, 1, 0, bytes, stag, to);
    }

    // RFC 5040 §7.2: Read Requests.
    private static void reads() {
        read("of unknown STag", "0/1/00", f -> request(8, UNKNOWN_STAG, BASE), "RDMAP-7.2-06");
        read("with wrong key", "0/1/00", f -> request(8, f.open.stag() ^ 1, BASE), "RDMAP-7.2-06");
        read("of a revoked STag", "0/1/00", f -> request(8, f.revoked.stag(), f.revoked.base), "RDMAP-7.2-06");
        read("of an unbound window", "0/1/00", f -> request(8, f.unbound.stag(), BASE), "RDMAP-7.2-06");
        read(
                "of another domain",
                "0/1/03",
                f -> request(8, f.foreign.stag(), f.foreign.base),
                "RDMAP-7.2-07",
                "RDMAP-8.1.1-1-01",
                "SEC-6.1.1-02");
        read(
                "of another stream's window",
                "0/1/03",
                f -> request(8, f.othersWindow.stag(), BASE),
                "RDMAP-7.2-07",
                "RDMAP-8.1.1-2-01",
                "SEC-6.1.1-03");
        read(
                "without right",
                "0/1/02",
                f -> request(8, f.writeOnly.stag(), f.writeOnly.base),
                "RDMAP-7.2-11",
                "SEC-6.3.5-01");
        read("of local memory", "0/1/02", f -> request(8, f.local.stag(), f.local.base), "RDMAP-7.2-11");
        read("one octet before", "0/1/01", f -> request(8, f.open.stag(), BASE - 1), "RDMAP-7.2-08", "SEC-6.3.1-01");
        read(
                "one octet beyond",
                "0/1/01",
                f -> request(BYTES, f.open.stag(), BASE + 1),
                "RDMAP-7.2-09",
                "RDMAP-8.1.1-3-01",
                "SEC-6.3.1-01");
        read("of 2^32-1 octets", "0/1/01", f -> request(-1, f.open.stag(), BASE), "RDMAP-7.2-09");
        read("that wraps", "0/1/04", f -> request(8, f.open.stag(), -4), "RDMAP-7.2-10");
    }

    private static byte[] atomic(int operation, int stag, long to) {
        return Segments.untagged(
                Segments.ATOMIC_REQUEST, 0, 1, 1, 0, true, Segments.atomicHeader(operation, 1, stag, to, 1, -1, 0, 0));
    }

    // RFC 7306 §5.1, §8.2.
    private static void misalignedAtomics() {
        for (int offset = 1; offset < 8; offset++) {
            int misaligned = offset;
            ATTACKS.add(Attack.of(
                    ATOMICS,
                    "FetchAdd at offset " + offset,
                    "0/2/07",
                    f -> atomic(0, f.open.stag(), BASE + misaligned),
                    "EXT-5.1.1-01",
                    "EXT-5.1.1-02",
                    "EXT-5.1.1-03",
                    "EXT-8.2-04",
                    "EXT-8.1-2-01"));
            ATTACKS.add(Attack.of(
                    ATOMICS,
                    "CmpSwap at offset " + offset,
                    "0/2/07",
                    f -> atomic(2, f.open.stag(), BASE + misaligned),
                    "EXT-5.1.2-04",
                    "EXT-5.1.2-05",
                    "EXT-5.1.2-06",
                    "EXT-5.1.2-07",
                    "EXT-5.1.2-08",
                    "EXT-8.2-04",
                    "DRAFT01-8.2-01"));
        }
    }

    // RFC 7306 §5.2.1; the codes are those of Reads.
    private static void atomics() {
        for (int operation : new int[] {0, 2}) {
            atomicOn("unknown STag", "0/1/00", operation, f -> UNKNOWN_STAG, f -> BASE);
            atomicOn("memory without right", "0/1/02", operation, f -> f.writeOnly.stag(), f -> f.writeOnly.base);
            atomicOn(
                    "another domain",
                    "0/1/03",
                    operation,
                    f -> f.foreign.stag(),
                    f -> f.foreign.base,
                    "RDMAP-8.1.1-1-01");
            atomicOn(
                    "another stream's window",
                    "0/1/03",
                    operation,
                    f -> f.othersWindow.stag(),
                    f -> BASE,
                    "RDMAP-8.1.1-2-01");
            atomicOn("what is before", "0/1/01", operation, f -> f.open.stag(), f -> BASE - 8);
            atomicOn("what is behind", "0/1/01", operation, f -> f.open.stag(), f -> BASE + BYTES);
            atomicOn("what wraps", "0/1/04", operation, f -> f.open.stag(), f -> -4L);
        }
        for (int code : new int[] {1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}) {
            ATTACKS.add(Attack.of(
                    ATOMICS,
                    "atomic operation " + code,
                    "0/2/06",
                    f -> atomic(code, f.open.stag(), BASE),
                    "EXT-5.2.1-4-01",
                    "EXT-10.1-01",
                    "DRAFT01-5.2.1-02",
                    "DRAFT01-5.2.1-4-01"));
        }
    }

    private static void atomicOn(
            String name,
            String code,
            int operation,
            Function<HostileFixture, Integer> stag,
            Function<HostileFixture, Long> to,
            String... more) {
        String[] requirements = Stream.concat(Stream.of("EXT-8.2-05", "EXT-8.1-2-01"), Stream.of(more))
                .toArray(String[]::new);
        ATTACKS.add(Attack.of(
                ATOMICS,
                (operation == 0 ? "FetchAdd on " : "CmpSwap on ") + name,
                code,
                f -> atomic(operation, stag.apply(f), to.apply(f)),
                requirements));
    }

    // RFC 5040 §5.3, §7.2, §8.1.1.
    private static void invalidations() {
        invalidation("of an unknown STag", f -> UNKNOWN_STAG, "RDMAP-7.2-04", "RDMAP-5.3-07");
        invalidation("of a registration", f -> f.open.stag(), "RDMAP-8.1.1-7-01", "SEC-6.4.5-01");
        invalidation("in another domain", f -> f.foreign.stag(), "RDMAP-7.2-05", "RDMAP-5.3-13");
        invalidation("of another stream's window", f -> f.othersWindow.stag(), "RDMAP-7.2-05", "RDMAP-5.3-13");
        invalidation("of a window of the domain", f -> f.domainWindow.stag(), "RDMAP-8.1.1-7-01", "SEC-6.4.5-01");
        invalidation("of an unbound window", f -> f.unbound.stag(), "RDMAP-7.2-04");
        invalidation("with a wrong key", f -> f.window.stag() ^ 2, "RDMAP-7.2-04", "SEC-6.4.5-01");
        ATTACKS.add(Attack.inSteps(
                INVALIDATIONS,
                "invalidation twice",
                4,
                "0/1/09",
                f -> new byte[][] {
                    Segments.sendInvalidate(1, f.window.stag()), Segments.sendInvalidate(2, f.window.stag())
                },
                "RDMAP-7.2-04"));
        ATTACKS.add(Attack.inSteps(
                INVALIDATIONS,
                "Write after invalidation",
                4,
                "1/1/00",
                f -> new byte[][] {
                    Segments.sendInvalidate(1, f.window.stag()), Segments.write(f.window.stag(), BASE, EIGHT)
                },
                "RDMAP-5.3-14"));
    }

    private static void invalidation(String name, Function<HostileFixture, Integer> stag, String... rows) {
        List<String> all = new ArrayList<>(List.of(rows));
        all.add("RDMAP-5.3-14");
        ATTACKS.add(Attack.of(
                INVALIDATIONS,
                "invalidation " + name,
                "0/1/09",
                f -> Segments.sendInvalidate(1, stag.apply(f)),
                all.toArray(String[]::new)));
    }

    /** All of them. */
    static Stream<Attack> all() {
        return ATTACKS.stream();
    }
}
