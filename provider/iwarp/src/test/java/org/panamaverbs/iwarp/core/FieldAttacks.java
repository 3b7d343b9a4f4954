package org.panamaverbs.iwarp.core;

import static org.panamaverbs.iwarp.core.HostileFixture.BASE;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.panamaverbs.iwarp.wire.Opcode;

/**
 * A message of each kind with one field of its headers wrong, which no kind may get away with (RFC 5041 §7.1, RFC 5040
 * §7.2, RFC 7306 §8.2).
 */
final class FieldAttacks {
    private static final String GROUP = "One wrong field of each message";
    private static final int LAST = 0x40;

    private static final List<Attack> ATTACKS = new ArrayList<>();

    private FieldAttacks() {}

    static {
        for (Opcode opcode : Opcode.values()) {
            boolean extension = opcode.code() >= Segments.IMMEDIATE;
            String fields = extension ? "EXT-8.2-01" : "RDMAP-7.2-01";
            String version = extension ? "EXT-8.2-03" : "RDMAP-7.2-03";
            String queue = extension ? "EXT-4.1-06" : "RDMAP-3.1-02";
            add(opcode, "DDP version", opcode.tagged() ? "1/1/04" : "1/2/06", 0, 0x03, fields);
            add(opcode, "RDMAP version", "0/2/05", 1, 0xC0, version);
            if (!opcode.tagged()) {
                add(opcode, "queue", "1/2/01", 9, 0x04, fields, queue);
                add(opcode, "MSN", "1/2/03", 13, 0x02, fields);
                add(opcode, "MO", "1/2/04", 17, 0x08, fields);
            }
            if (!opcode.tagged() && !opcode.isSend()) {
                add(opcode, "L bit", "1/2/04", 0, LAST, fields);
            }
        }
    }

    private static void add(Opcode opcode, String field, String code, int octet, int bits, String... requirements) {
        ATTACKS.add(Attack.of(
                GROUP,
                opcode + " with a wrong " + field,
                code,
                f -> Segments.flip(right(opcode, f), octet, bits),
                requirements));
    }

    private static byte[] right(Opcode opcode, HostileFixture f) {
        return switch (opcode) {
            case RDMA_WRITE -> Segments.write(f.open.stag(), BASE, Attack.EIGHT);
            case READ_RESPONSE -> Segments.readResponse(f.local.stag(), f.local.base, true, Attack.EIGHT);
            case READ_REQUEST -> Segments.readRequest(1, 1, 0, 8, f.open.stag(), BASE);
            case SEND, SEND_SE, IMMEDIATE, IMMEDIATE_SE ->
                Segments.untagged(opcode.code(), 0, 0, 1, 0, true, Attack.EIGHT);
            case SEND_INVALIDATE, SEND_SE_INVALIDATE ->
                Segments.untagged(opcode.code(), f.window.stag(), 0, 1, 0, true, Attack.EIGHT);
            case TERMINATE -> Segments.terminate(1, 2, 2, 0);
            case ATOMIC_REQUEST -> Segments.fetchAdd(1, 1, f.open.stag(), BASE, 1);
            case ATOMIC_RESPONSE -> atomicResponse(f);
        };
    }

    // To an Atomic that this side has asked for.
    private static byte[] atomicResponse(HostileFixture f) {
        f.side.fetchAdd(1, f.local, 64, f.open, 0, 1);
        f.peer.settle();
        Segments.Parsed request = Objects.requireNonNull(f.peer.answers.getLast());
        return Segments.atomicResponse(1, request.at(18 + 4), 7);
    }

    static Stream<Attack> all() {
        return ATTACKS.stream();
    }
}
