package org.panamaverbs.iwarp.core;

import static org.panamaverbs.iwarp.core.Attack.EIGHT;
import static org.panamaverbs.iwarp.core.HostileFixture.BASE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What a peer must not put on the wire: versions, opcodes, queues, sequences, lengths, framing. */
final class Attacks {
    private static final String VERSIONS = "Versions";
    private static final String OPCODES = "Opcodes";
    private static final String QUEUES = "Queues";
    private static final String SEQUENCES = "Sequence and offset";
    private static final String RECEIVES = "Messages without a receive";
    private static final String RESPONSES = "Responses that nobody asked for";
    private static final String LENGTHS = "Messages of one size";
    private static final String FRAMING = "Segments shorter than their header";

    private static final List<Attack> ATTACKS = new ArrayList<>();

    private Attacks() {}

    static {
        versions();
        opcodes();
        queues();
        sequences();
        offsets();
        receives();
        unsolicited();
        fixedLengths();
        framing();
    }

    // RFC 5041 §7.2; RFC 5040 §7.2.
    private static void versions() {
        for (int version : new int[] {0, 2, 3}) {
            ATTACKS.add(Attack.of(
                    VERSIONS,
                    "tagged DDP version " + version,
                    "1/1/04",
                    f -> withOctet(Segments.write(f.open.stag(), BASE, EIGHT), 0, 0xC0 | version),
                    "DDP-4.1-10",
                    "DDP-7.2-02",
                    "RDMAP-7.2-01"));
            ATTACKS.add(Attack.of(
                    VERSIONS,
                    "untagged DDP version " + version,
                    "1/2/06",
                    f -> withOctet(Segments.send(1, EIGHT), 0, 0x40 | version),
                    "DDP-4.1-10",
                    "DDP-7.2-02",
                    "RDMAP-7.2-01"));
            ATTACKS.add(Attack.of(
                    VERSIONS,
                    "DDP version of Immediate Data " + version,
                    "1/2/06",
                    f -> withOctet(Segments.immediate(1, EIGHT), 0, 0x40 | version),
                    "EXT-8.2-01"));
            ATTACKS.add(Attack.of(
                    VERSIONS,
                    "RDMAP version " + version,
                    "0/2/05",
                    f -> withOctet(Segments.send(1, EIGHT), 1, version << 6 | Segments.SEND),
                    "RDMAP-7.2-03"));
            ATTACKS.add(Attack.of(
                    VERSIONS,
                    "RDMAP version of a Write " + version,
                    "0/2/05",
                    f -> withOctet(Segments.write(f.open.stag(), BASE, EIGHT), 1, version << 6),
                    "RDMAP-7.2-03"));
            ATTACKS.add(Attack.of(
                    VERSIONS,
                    "RDMAP version of an Atomic Request " + version,
                    "0/2/05",
                    f -> withOctet(
                            Segments.fetchAdd(1, 1, f.open.stag(), BASE, 1), 1, version << 6 | Segments.ATOMIC_REQUEST),
                    "EXT-8.2-03",
                    "EXT-8.1-2-01"));
        }
    }

    private static byte[] withOctet(byte[] segment, int index, int value) {
        segment[index] = (byte) value;
        return segment;
    }

    // RFC 5040 §4.1, §7.2; RFC 7306 §4.1.
    private static void opcodes() {
        for (int code : new int[] {0xC, 0xD, 0xE, 0xF}) {
            String[] rows = {"RDMAP-4.1-11", "RDMAP-7.2-02", "EXT-8.2-02", "IANA-3.1-01"};
            ATTACKS.add(Attack.of(
                    OPCODES,
                    "untagged opcode %x".formatted(code),
                    "0/2/06",
                    f -> Segments.untagged(code, 0, 0, 1, 0, true),
                    rows));
            ATTACKS.add(Attack.of(
                    OPCODES,
                    "tagged opcode %x".formatted(code),
                    "0/2/06",
                    f -> Segments.tagged(code, f.open.stag(), BASE, true, EIGHT),
                    rows));
        }
        for (int opcode : new int[] {1, 3, 4, 5, 6, 7, 8, 9, 0xA, 0xB}) {
            ATTACKS.add(Attack.of(
                    OPCODES,
                    "opcode %x as tagged".formatted(opcode),
                    "0/2/06",
                    f -> Segments.tagged(opcode, f.open.stag(), BASE, true, EIGHT),
                    opcode < 8 ? "RDMAP-4.1-03" : "EXT-4.1-05"));
        }
        for (int opcode : new int[] {0, 2}) {
            ATTACKS.add(Attack.of(
                    OPCODES,
                    "opcode %x as untagged".formatted(opcode),
                    "0/2/06",
                    f -> Segments.untagged(opcode, 0, 0, 1, 0, true, EIGHT),
                    "RDMAP-4.1-03"));
        }
    }

    // RFC 5041 §7.1: the queue must exist, and be the opcode's (RFC 5040 §5; RFC 7306 §4.1).
    private static void queues() {
        for (int qn : new int[] {1, 2, 3, 4, -1}) {
            ATTACKS.add(Attack.of(
                    QUEUES,
                    "Send on queue " + qn,
                    "1/2/01",
                    f -> Segments.untagged(Segments.SEND, 0, qn, 1, 0, true, EIGHT),
                    "DDP-7.1-U1-01",
                    "RDMAP-3.1-02",
                    "RDMAP-5.3-07",
                    "EXT-10.2-01"));
        }
        ATTACKS.add(Attack.of(
                QUEUES,
                "Read Request on queue 0",
                "1/2/01",
                f -> Segments.untagged(
                        Segments.READ_REQUEST, 0, 0, 1, 0, true, Segments.readHeader(1, 0, 8, f.open.stag(), BASE)),
                "RDMAP-5.2.1-05",
                "RDMAP-3.1-02"));
        ATTACKS.add(Attack.of(
                QUEUES,
                "Terminate on queue 0",
                "1/2/01",
                f -> Segments.untagged(Segments.TERMINATE, 0, 0, 1, 0, true, new byte[4]),
                "RDMAP-5.4-06",
                "RDMAP-3.1-02"));
        ATTACKS.add(Attack.of(
                QUEUES,
                "Atomic Request on queue 3",
                "1/2/01",
                f -> Segments.untagged(
                        Segments.ATOMIC_REQUEST,
                        0,
                        3,
                        1,
                        0,
                        true,
                        Segments.atomicHeader(0, 1, f.open.stag(), BASE, 1, 0, 0, -1)),
                "EXT-4.1-06"));
        ATTACKS.add(Attack.of(
                QUEUES,
                "Immediate Data with SE on queue 1",
                "1/2/01",
                f -> Segments.untagged(Segments.IMMEDIATE_SE, 0, 1, 1, 0, true, EIGHT),
                "EXT-4.1-06",
                "EXT-8.1-2-01",
                "EXT-8.2-01",
                "DRAFT01-4.1-01"));
        ATTACKS.add(Attack.of(
                QUEUES,
                "Atomic Response on queue 1",
                "1/2/01",
                f -> Segments.untagged(Segments.ATOMIC_RESPONSE, 0, 1, 1, 0, true, new byte[12]),
                "EXT-4.1-06",
                "EXT-8.2-01",
                "DRAFT01-4.1-02"));
    }

    private static void sequences() {
        for (int msn : new int[] {0, 2, 3, 0x8000_0000, -1}) {
            ATTACKS.add(Attack.of(
                    SEQUENCES,
                    "first Send with MSN " + msn,
                    "1/2/03",
                    f -> Segments.send(msn, EIGHT),
                    "DDP-4.3-06",
                    "DDP-5.3-06",
                    "DDP-7.1-U5-01"));
            ATTACKS.add(Attack.of(
                    SEQUENCES,
                    "first Read Request with MSN " + msn,
                    "1/2/03",
                    f -> Segments.readRequest(msn, 1, 0, 8, f.open.stag(), BASE),
                    "DDP-4.3-06",
                    "DDP-7.1-U5-01"));
            ATTACKS.add(Attack.of(
                    SEQUENCES,
                    "Terminate with MSN " + msn,
                    "1/2/03",
                    f -> Segments.untagged(Segments.TERMINATE, 0, 2, msn, 0, true, new byte[4]),
                    "DDP-4.3-06",
                    "DDP-7.1-U5-01"));
        }
        ATTACKS.add(Attack.inSteps(
                SEQUENCES,
                "the MSN again",
                4,
                "1/2/03",
                f -> new byte[][] {Segments.send(1), Segments.send(1)},
                "DDP-7.1-U5-01",
                "DDP-5.3-05",
                "DDP-3-11-01"));
        ATTACKS.add(Attack.inSteps(
                SEQUENCES,
                "next message before the last segment",
                4,
                "1/2/03",
                f -> new byte[][] {Segments.untagged(Segments.SEND, 0, 0, 1, 0, false), Segments.send(2, EIGHT)},
                "DDP-5.4-01"));
    }

    private static void offsets() {
        for (int mo : new int[] {8, 65, -4}) {
            ATTACKS.add(Attack.of(
                    SEQUENCES,
                    "first MO " + mo,
                    "1/2/04",
                    f -> Segments.untagged(Segments.SEND, 0, 0, 1, mo, true, EIGHT),
                    "DDP-7.1-U3-01"));
        }
        ATTACKS.add(Attack.inSteps(
                SEQUENCES,
                "gap in MO",
                4,
                "1/2/04",
                f -> new byte[][] {
                    Segments.untagged(Segments.SEND, 0, 0, 1, 0, false),
                    Segments.untagged(Segments.SEND, 0, 0, 1, 1, true, EIGHT)
                },
                "DDP-7.1-U3-01"));
        ATTACKS.add(Attack.of(
                SEQUENCES,
                "Send one octet too long",
                "1/2/05",
                f -> Segments.send(1, new byte[65]),
                "DDP-7.1-U4-01",
                "RDMAP-5.3-04"));
        ATTACKS.add(Attack.of(
                SEQUENCES, "Send much too long", "1/2/05", f -> Segments.send(1, new byte[60_000]), "DDP-7.1-01"));
    }

    private static void receives() {
        ATTACKS.add(Attack.inSteps(
                RECEIVES,
                "Send without receive",
                0,
                "1/2/02",
                f -> new byte[][] {Segments.send(1, EIGHT)},
                "DDP-7.1-U2-01",
                "RDMAP-5.3-07"));
        ATTACKS.add(Attack.inSteps(
                RECEIVES,
                "empty Send without receive",
                0,
                "1/2/02",
                f -> new byte[][] {Segments.send(1)},
                "DDP-7.1-U0-01",
                "RDMAP-5.3-11"));
        ATTACKS.add(Attack.inSteps(
                RECEIVES,
                "Immediate Data without receive",
                0,
                "1/2/02",
                f -> new byte[][] {Segments.immediate(1, EIGHT)},
                "EXT-6.3-02"));
        ATTACKS.add(Attack.inSteps(
                RECEIVES,
                "one Send more than receives",
                1,
                "1/2/02",
                f -> new byte[][] {Segments.send(1), Segments.send(2)},
                "DDP-7.1-U2-01",
                "RDMAP-5.3-02"));
    }

    private static void unsolicited() {
        ATTACKS.add(Attack.of(
                RESPONSES,
                "Read Response that nobody asked for",
                "0/2/06",
                f -> Segments.readResponse(f.local.stag(), f.local.base, true, EIGHT),
                "RDMAP-5.2.2-04"));
        ATTACKS.add(Attack.of(
                RESPONSES,
                "empty Read Response that nobody asked for",
                "0/2/06",
                f -> Segments.readResponse(f.local.stag(), f.local.base, true),
                "RDMAP-5.2.2-04"));
        ATTACKS.add(Attack.of(
                RESPONSES,
                "Atomic Response that nobody asked for",
                "1/2/02",
                f -> Segments.atomicResponse(1, 1, 7),
                "EXT-5.2.2-7-01",
                "EXT-8.1-2-01"));
    }

    // RFC 7306 §6.3; RFC 5040 §4.2: messages of one size.
    private static void fixedLengths() {
        for (int length : new int[] {0, 7, 9, 64}) {
            ATTACKS.add(Attack.of(
                    LENGTHS,
                    "Immediate Data of %d octets".formatted(length),
                    length < 8 ? "0/2/ff" : "1/2/05",
                    f -> Segments.immediate(1, new byte[length]),
                    "EXT-6.3-07",
                    "EXT-4.2-01",
                    "EXT-8.1-2-01"));
            ATTACKS.add(Attack.of(
                    LENGTHS,
                    "Immediate Data with SE of %d octets".formatted(length),
                    length < 8 ? "0/2/ff" : "1/2/05",
                    f -> Segments.untagged(Segments.IMMEDIATE_SE, 0, 0, 1, 0, true, new byte[length]),
                    "EXT-6.3-07",
                    "EXT-8.1-2-01"));
        }
        for (int length : new int[] {0, 27, 29}) {
            ATTACKS.add(Attack.of(
                    LENGTHS,
                    "Read Request of %d octets".formatted(length),
                    length < 28 ? "0/2/ff" : "1/2/05",
                    f -> Segments.untagged(Segments.READ_REQUEST, 0, 1, 1, 0, true, new byte[length]),
                    "RDMAP-5.2.1-04",
                    "RDMAP-7.1-3-01"));
        }
        for (int length : new int[] {0, 51, 53}) {
            ATTACKS.add(Attack.of(
                    LENGTHS,
                    "Atomic Request of %d octets".formatted(length),
                    length < 52 ? "0/2/ff" : "1/2/05",
                    f -> Segments.untagged(Segments.ATOMIC_REQUEST, 0, 1, 1, 0, true, new byte[length]),
                    "EXT-4.2-01",
                    "EXT-8.1-2-01"));
        }
    }

    // RFC 5044 §8; a ULPDU shorter than its header has no code of its own.
    private static void framing() {
        for (int length : new int[] {0, 1, 2, 5, 13}) {
            ATTACKS.add(Attack.of(
                    FRAMING,
                    "tagged ULPDU of %d octets".formatted(length),
                    "2/0/03",
                    Attack.NONE,
                    f -> Arrays.copyOf(Segments.write(f.open.stag(), BASE, EIGHT), length),
                    "DDP-4.4-01",
                    "MPA-8-03"));
        }
        for (int length : new int[] {2, 14, 17}) {
            ATTACKS.add(Attack.of(
                    FRAMING,
                    "untagged ULPDU of %d octets".formatted(length),
                    "2/0/03",
                    Attack.NONE,
                    f -> Arrays.copyOf(Segments.send(1, EIGHT), length),
                    "DDP-4.4-01",
                    "MPA-8-03"));
        }
    }

    /** All of them, and those on memory. */
    static Stream<Attack> all() {
        return Stream.of(ATTACKS.stream(), FieldAttacks.all(), MemoryAttacks.all())
                .flatMap(attacks -> attacks);
    }
}
