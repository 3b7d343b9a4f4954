package org.panamaverbs.iwarp.core;

import static org.panamaverbs.iwarp.core.HostileFixture.BASE;
import static org.panamaverbs.iwarp.core.HostileFixture.BYTES;
import static org.panamaverbs.iwarp.core.HostileFixture.UNKNOWN_STAG;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The table of what a peer must not do, with the Terminates that are right. */
final class Attacks {
    private static final int NONE = 0;
    private static final int M_D = 0xC0;
    private static final int M_D_R = 0xE0;
    private static final byte[] EIGHT = {1, 2, 3, 4, 5, 6, 7, 8};
    private static final String PROTECTED = "1/1/00 0/1/02";

    /**
     * One attack.
     *
     * @param name for the report
     * @param receives receives posted before
     * @param segments what the peer sends; only the last one is bad
     * @param codes the Terminates that are right
     * @param flags its M, D and R
     */
    record Attack(String name, int receives, Function<HostileFixture, byte[][]> segments, String codes, int flags) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Attack> ATTACKS = new ArrayList<>();

    private static void attack(String name, String codes, int flags, Function<HostileFixture, byte[]> segment) {
        ATTACKS.add(new Attack(name, 4, f -> new byte[][] {segment.apply(f)}, codes, flags));
    }

    private static void attackInSteps(
            String name, int receives, String codes, int flags, Function<HostileFixture, byte[][]> segments) {
        ATTACKS.add(new Attack(name, receives, segments, codes, flags));
    }

    private Attacks() {}

    static {
        versionsAndOpcodes();
        queues();
        sequences();
        unsolicited();
        taggedBuffers();
        reads();
        atomics();
        fixedLengths();
        invalidations();
        framing();
    }

    // RFC 5041 §7.2; RFC 5040 §7.2, §4.1; RFC 7306 §4.1.
    private static void versionsAndOpcodes() {
        for (int version : new int[] {0, 2, 3}) {
            attack("tagged DDP version " + version, "1/1/04", M_D, f -> {
                byte[] segment = Segments.write(f.open.stag(), BASE, EIGHT);
                segment[0] = (byte) (0xC0 | version);
                return segment;
            });
            attack("untagged DDP version " + version, "1/2/06", M_D, f -> {
                byte[] segment = Segments.send(1, EIGHT);
                segment[0] = (byte) (0x40 | version);
                return segment;
            });
            attack("RDMAP version " + version, "0/2/05", M_D, f -> {
                byte[] segment = Segments.send(1, EIGHT);
                segment[1] = (byte) (version << 6 | Segments.SEND);
                return segment;
            });
            attack("RDMAP version of a Write " + version, "0/2/05", M_D, f -> {
                byte[] segment = Segments.write(f.open.stag(), BASE, EIGHT);
                segment[1] = (byte) (version << 6);
                return segment;
            });
        }
        for (int code : new int[] {0xC, 0xD, 0xE, 0xF}) {
            attack("untagged opcode %x".formatted(code), "0/2/06", M_D, f -> Segments.untagged(code, 0, 0, 1, 0, true));
            attack(
                    "tagged opcode %x".formatted(code),
                    "0/2/06",
                    M_D,
                    f -> Segments.tagged(code, f.open.stag(), BASE, true, EIGHT));
        }
        for (int opcode : new int[] {1, 3, 4, 5, 6, 7, 8, 9, 0xA, 0xB}) {
            attack(
                    "opcode %x as tagged".formatted(opcode),
                    "0/2/06",
                    M_D,
                    f -> Segments.tagged(opcode, f.open.stag(), BASE, true, EIGHT));
        }
        for (int opcode : new int[] {0, 2}) {
            attack(
                    "opcode %x as untagged".formatted(opcode),
                    "0/2/06",
                    M_D,
                    f -> Segments.untagged(opcode, 0, 0, 1, 0, true, EIGHT));
        }
    }

    // RFC 5041 §7.1: untagged buffers.
    private static void queues() {
        for (int qn : new int[] {1, 2, 3, 4, -1}) {
            attack(
                    "Send on queue " + qn,
                    "1/2/01",
                    M_D,
                    f -> Segments.untagged(Segments.SEND, 0, qn, 1, 0, true, EIGHT));
        }
        attack(
                "Read Request on queue 0",
                "1/2/01",
                M_D,
                f -> Segments.untagged(
                        Segments.READ_REQUEST, 0, 0, 1, 0, true, Segments.readHeader(1, 0, 8, f.open.stag(), BASE)));
        attack(
                "Atomic Request on queue 3",
                "1/2/01",
                M_D,
                f -> Segments.untagged(
                        Segments.ATOMIC_REQUEST,
                        0,
                        3,
                        1,
                        0,
                        true,
                        Segments.atomicHeader(0, 1, f.open.stag(), BASE, 1, 0, 0, -1)));
        attack(
                "Immediate Data with SE on queue 1",
                "1/2/01",
                M_D,
                f -> Segments.untagged(Segments.IMMEDIATE_SE, 0, 1, 1, 0, true, EIGHT));
        attack(
                "Atomic Response on queue 1",
                "1/2/01",
                M_D,
                f -> Segments.untagged(Segments.ATOMIC_RESPONSE, 0, 1, 1, 0, true, new byte[12]));
    }

    private static void sequences() {
        for (int msn : new int[] {0, 2, 3, 0x8000_0000, -1}) {
            attack("first Send with MSN " + msn, "1/2/03", M_D, f -> Segments.send(msn, EIGHT));
            attack(
                    "first Read Request with MSN " + msn,
                    "1/2/03",
                    M_D,
                    f -> Segments.readRequest(msn, 1, 0, 8, f.open.stag(), BASE));
        }
        attackInSteps("the MSN again", 4, "1/2/03", M_D, f -> new byte[][] {Segments.send(1), Segments.send(1)});
        attackInSteps("next message before the last segment", 4, "1/2/03", M_D, f ->
                new byte[][] {Segments.untagged(Segments.SEND, 0, 0, 1, 0, false), Segments.send(2, EIGHT)});
        attack("first MO not 0", "1/2/04", M_D, f -> Segments.untagged(Segments.SEND, 0, 0, 1, 8, true, EIGHT));
        attack("MO beyond the buffer", "1/2/04", M_D, f -> Segments.untagged(Segments.SEND, 0, 0, 1, 65, true, EIGHT));
        attack("MO near 2^32", "1/2/04", M_D, f -> Segments.untagged(Segments.SEND, 0, 0, 1, -4, true, EIGHT));
        attackInSteps("gap in MO", 4, "1/2/04", M_D, f -> new byte[][] {
            Segments.untagged(Segments.SEND, 0, 0, 1, 0, false),
            Segments.untagged(Segments.SEND, 0, 0, 1, 1, true, EIGHT)
        });
        attack("Send one octet too long", "1/2/05", M_D, f -> Segments.send(1, new byte[65]));
        attack("Send much too long", "1/2/05", M_D, f -> Segments.send(1, new byte[60_000]));
        attackInSteps("Send without receive", 0, "1/2/02", M_D, f -> new byte[][] {Segments.send(1, EIGHT)});
        attackInSteps("empty Send without receive", 0, "1/2/02", M_D, f -> new byte[][] {Segments.send(1)});
        attackInSteps(
                "Immediate Data without receive", 0, "1/2/02", M_D, f -> new byte[][] {Segments.immediate(1, EIGHT)});
        attackInSteps("one Send more than receives", 1, "1/2/02", M_D, f ->
                new byte[][] {Segments.send(1), Segments.send(2)});
    }

    private static void unsolicited() {
        attack(
                "Read Response that nobody asked for",
                "1/0/00 1/1/00 1/1/01 0/2/06 0/2/07 0/2/ff",
                M_D,
                f -> Segments.readResponse(f.local.stag(), f.local.base, true, EIGHT));
        attack(
                "empty Read Response that nobody asked for",
                "1/0/00 1/1/00 1/1/01 0/2/06 0/2/07 0/2/ff",
                M_D,
                f -> Segments.readResponse(f.local.stag(), f.local.base, true));
        attack(
                "Atomic Response that nobody asked for",
                "1/2/02 1/2/03 0/2/06 0/2/07 0/2/ff",
                M_D,
                f -> Segments.atomicResponse(1, 1, 7));
    }

    // RFC 5041 §7.1: tagged buffers; RFC 5040 §8.1.1.
    private static void taggedBuffers() {
        attack("Write to unknown STag", "1/1/00", M_D, f -> Segments.write(UNKNOWN_STAG, BASE, EIGHT));
        attack("Write to STag 0", "1/1/00", M_D, f -> Segments.write(0, BASE, EIGHT));
        for (int bit = 0; bit < 8; bit++) {
            int key = 1 << bit;
            attack(
                    "Write with key bit %d wrong".formatted(bit),
                    "1/1/00",
                    M_D,
                    f -> Segments.write(f.open.stag() ^ key, BASE, EIGHT));
        }
        attack("Write to a revoked STag", "1/1/00", M_D, f -> Segments.write(f.revoked.stag(), f.revoked.base, EIGHT));
        attack("Write to an unbound window", "1/1/00", M_D, f -> Segments.write(f.unbound.stag(), BASE, EIGHT));
        attack(
                "Write into another domain",
                "1/1/02",
                M_D,
                f -> Segments.write(f.foreign.stag(), f.foreign.base, EIGHT));
        attack(
                "Write into another stream's window",
                "1/1/02",
                M_D,
                f -> Segments.write(f.othersWindow.stag(), BASE, EIGHT));
        attack("Write without right", PROTECTED, M_D, f -> Segments.write(f.readOnly.stag(), f.readOnly.base, EIGHT));
        attack("Write to local memory", PROTECTED, M_D, f -> Segments.write(f.local.stag(), f.local.base, EIGHT));
        attack("Write one octet before", "1/1/01", M_D, f -> Segments.write(f.open.stag(), BASE - 1, EIGHT));
        attack("Write one octet beyond", "1/1/01", M_D, f -> Segments.write(f.open.stag(), BASE + BYTES - 7, EIGHT));
        attack("Write behind", "1/1/01", M_D, f -> Segments.write(f.open.stag(), BASE + BYTES, (byte) 1));
        attack("Write far away", "1/1/01", M_D, f -> Segments.write(f.open.stag(), Long.MIN_VALUE, EIGHT));
        attack("Write longer than all", "1/1/01", M_D, f -> Segments.write(f.open.stag(), BASE, new byte[BYTES + 1]));
        attack(
                "Write past a window's end",
                "1/1/01",
                M_D,
                f -> Segments.write(f.window.stag(), BASE + BYTES - 7, EIGHT));
        attack("Write that wraps", "1/1/03", M_D, f -> Segments.write(f.open.stag(), -4, EIGHT));
        attackInSteps("second segment of a Write beyond", 4, "1/1/01", M_D, f -> new byte[][] {
            Segments.tagged(Segments.WRITE, f.open.stag(), BASE, false),
            Segments.write(f.open.stag(), BASE + BYTES, (byte) 1)
        });
    }

    private static void read(String name, String codes, Function<HostileFixture, byte[]> request) {
        attack("Read " + name, codes, M_D_R, request);
    }

    // RFC 5040 §7.2: Read Requests.
    private static void reads() {
        read("of unknown STag", "0/1/00", f -> Segments.readRequest(1, 1, 0, 8, UNKNOWN_STAG, BASE));
        read("with wrong key", "0/1/00", f -> Segments.readRequest(1, 1, 0, 8, f.open.stag() ^ 1, BASE));
        read("of a revoked STag", "0/1/00", f -> Segments.readRequest(1, 1, 0, 8, f.revoked.stag(), f.revoked.base));
        read("of an unbound window", "0/1/00", f -> Segments.readRequest(1, 1, 0, 8, f.unbound.stag(), BASE));
        read("of another domain", "0/1/03", f -> Segments.readRequest(1, 1, 0, 8, f.foreign.stag(), f.foreign.base));
        read(
                "of another stream's window",
                "0/1/03",
                f -> Segments.readRequest(1, 1, 0, 8, f.othersWindow.stag(), BASE));
        read("without right", "0/1/02", f -> Segments.readRequest(1, 1, 0, 8, f.writeOnly.stag(), f.writeOnly.base));
        read("of local memory", "0/1/02", f -> Segments.readRequest(1, 1, 0, 8, f.local.stag(), f.local.base));
        read("one octet before", "0/1/01", f -> Segments.readRequest(1, 1, 0, 8, f.open.stag(), BASE - 1));
        read("one octet beyond", "0/1/01", f -> Segments.readRequest(1, 1, 0, BYTES, f.open.stag(), BASE + 1));
        read("of 2^32-1 octets", "0/1/01", f -> Segments.readRequest(1, 1, 0, -1, f.open.stag(), BASE));
        read("that wraps", "0/1/04", f -> Segments.readRequest(1, 1, 0, 8, f.open.stag(), -4));
    }

    private static byte[] atomic(int operation, int stag, long to) {
        return Segments.untagged(
                Segments.ATOMIC_REQUEST, 0, 1, 1, 0, true, Segments.atomicHeader(operation, 1, stag, to, 1, -1, 0, 0));
    }

    // RFC 7306 §5.1, §5.2.1, §8.2.
    private static void atomics() {
        for (int operation : new int[] {0, 2}) {
            for (int offset = 1; offset < 8; offset++) {
                int misaligned = offset;
                attack(
                        "atomic %d at offset %d".formatted(operation, offset),
                        "0/2/07",
                        M_D,
                        f -> atomic(operation, f.open.stag(), BASE + misaligned));
            }
            attack(
                    "atomic %d on unknown STag".formatted(operation),
                    "0/1/00",
                    M_D,
                    f -> atomic(operation, UNKNOWN_STAG, BASE));
            attack(
                    "atomic %d without right".formatted(operation),
                    "0/1/02",
                    M_D,
                    f -> atomic(operation, f.writeOnly.stag(), f.writeOnly.base));
            attack(
                    "atomic %d in another domain".formatted(operation),
                    "0/1/03",
                    M_D,
                    f -> atomic(operation, f.foreign.stag(), f.foreign.base));
            attack(
                    "atomic %d in another stream's window".formatted(operation),
                    "0/1/03",
                    M_D,
                    f -> atomic(operation, f.othersWindow.stag(), BASE));
            attack(
                    "atomic %d before".formatted(operation),
                    "0/1/01",
                    M_D,
                    f -> atomic(operation, f.open.stag(), BASE - 8));
            attack(
                    "atomic %d behind".formatted(operation),
                    "0/1/01",
                    M_D,
                    f -> atomic(operation, f.open.stag(), BASE + BYTES));
            attack(
                    "atomic %d that wraps".formatted(operation),
                    "0/1/04 0/1/01 0/2/07",
                    M_D,
                    f -> atomic(operation, f.open.stag(), -4));
        }
        for (int code : new int[] {1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}) {
            attack("atomic operation " + code, "0/2/06 0/2/ff", M_D, f -> atomic(code, f.open.stag(), BASE));
        }
    }

    // RFC 7306 §6.3; RFC 5040 §4.2: messages of one size.
    private static void fixedLengths() {
        String codes = "0/2/ff 1/2/05 2/0/03 1/0/00 0/2/07";
        for (int length : new int[] {0, 7, 9, 64}) {
            attack(
                    "Immediate Data of %d octets".formatted(length),
                    codes,
                    M_D,
                    f -> Segments.immediate(1, new byte[length]));
        }
        for (int length : new int[] {0, 27, 29}) {
            attack(
                    "Read Request of %d octets".formatted(length),
                    codes,
                    M_D,
                    f -> Segments.untagged(Segments.READ_REQUEST, 0, 1, 1, 0, true, new byte[length]));
        }
        for (int length : new int[] {0, 51, 53}) {
            attack(
                    "Atomic Request of %d octets".formatted(length),
                    codes,
                    M_D,
                    f -> Segments.untagged(Segments.ATOMIC_REQUEST, 0, 1, 1, 0, true, new byte[length]));
        }
    }

    // RFC 5040 §5.3, §7.2, §8.1.1.
    private static void invalidations() {
        String codes = "0/1/09 0/2/09";
        attack("invalidation of an unknown STag", codes, M_D, f -> Segments.sendInvalidate(1, UNKNOWN_STAG));
        attack("invalidation of a registration", "0/1/09", M_D, f -> Segments.sendInvalidate(1, f.open.stag()));
        attack("invalidation in another domain", "0/1/09", M_D, f -> Segments.sendInvalidate(1, f.foreign.stag()));
        attack(
                "invalidation of another stream's window",
                "0/1/09",
                M_D,
                f -> Segments.sendInvalidate(1, f.othersWindow.stag()));
        attack(
                "invalidation of a window of the domain",
                "0/1/09",
                M_D,
                f -> Segments.sendInvalidate(1, f.domainWindow.stag()));
        attack("invalidation of an unbound window", codes, M_D, f -> Segments.sendInvalidate(1, f.unbound.stag()));
        attack("invalidation with a wrong key", codes, M_D, f -> Segments.sendInvalidate(1, f.window.stag() ^ 2));
        attackInSteps(
                "invalidation twice", 4, codes, M_D, f -> new byte[][] {
                    Segments.sendInvalidate(1, f.window.stag()), Segments.sendInvalidate(2, f.window.stag())
                });
        attackInSteps(
                "Write after invalidation", 4, "1/1/00", M_D, f -> new byte[][] {
                    Segments.sendInvalidate(1, f.window.stag()), Segments.write(f.window.stag(), BASE, EIGHT)
                });
    }

    // RFC 5044 §8; a ULPDU shorter than its header has no code of its own.
    private static void framing() {
        for (int length : new int[] {0, 1, 2, 5, 13}) {
            attack(
                    "tagged ULPDU of %d octets".formatted(length),
                    "2/0/03 1/0/00",
                    NONE,
                    f -> java.util.Arrays.copyOf(Segments.write(f.open.stag(), BASE, EIGHT), length));
        }
        for (int length : new int[] {2, 14, 17}) {
            attack(
                    "untagged ULPDU of %d octets".formatted(length),
                    "2/0/03 1/0/00",
                    NONE,
                    f -> java.util.Arrays.copyOf(Segments.send(1, EIGHT), length));
        }
    }

    /** All of them. */
    static Stream<Attack> all() {
        return ATTACKS.stream();
    }
}
