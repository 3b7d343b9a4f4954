package org.panamaverbs.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.testkit.Requirement;

class OpcodeTest {
    @ParameterizedTest
    @CsvSource({
        // code, queue, header, payload, invalidates, solicits, immediate, send, consumes, control octet
        "RDMA_WRITE,         0, -1,  0, true,  false, false, false, false, false, 0x40",
        "READ_REQUEST,       1,  1, 28, false, false, false, false, false, false, 0x41",
        "READ_RESPONSE,      2, -1,  0, true,  false, false, false, false, false, 0x42",
        "SEND,               3,  0,  0, true,  false, false, false, true,  true,  0x43",
        "SEND_INVALIDATE,    4,  0,  0, true,  true,  false, false, true,  true,  0x44",
        "SEND_SE,            5,  0,  0, true,  false, true,  false, true,  true,  0x45",
        "SEND_SE_INVALIDATE, 6,  0,  0, true,  true,  true,  false, true,  true,  0x46",
        "TERMINATE,          7,  2,  0, false, false, false, false, false, false, 0x47",
        "IMMEDIATE,          8,  0,  8, false, false, false, true,  false, true,  0x48",
        "IMMEDIATE_SE,       9,  0,  8, false, false, true,  true,  false, true,  0x49",
        "ATOMIC_REQUEST,    10,  1, 52, false, false, false, false, false, false, 0x4a",
        "ATOMIC_RESPONSE,   11,  3, 12, false, false, false, false, false, false, 0x4b",
    })
    @Requirement({
        "RDMAP-3.1-02",
        "RDMAP-4.1-03",
        "RDMAP-4.1-04",
        "RDMAP-4.2-01",
        "EXT-4.1-02",
        "EXT-4.1-05",
        "EXT-4.1-06",
        "DRAFT01-4.1-03",
        "DRAFT01-10-01"
    })
    void knowsTheTable(
            Opcode opcode,
            int code,
            int queue,
            int headerBytes,
            boolean payload,
            boolean invalidates,
            boolean solicits,
            boolean immediate,
            boolean send,
            boolean consumes,
            int control) {
        assertThat(opcode.code()).isEqualTo(code);
        assertThat(opcode.queue()).isEqualTo(queue);
        assertThat(opcode.tagged()).isEqualTo(queue < 0);
        assertThat(opcode.headerBytes()).isEqualTo(headerBytes);
        assertThat(opcode.hasPayload()).isEqualTo(payload);
        assertThat(opcode.invalidates()).isEqualTo(invalidates);
        assertThat(opcode.solicits()).isEqualTo(solicits);
        assertThat(opcode.hasImmediate()).isEqualTo(immediate);
        assertThat(opcode.isSend()).isEqualTo(send);
        assertThat(opcode.consumesReceive()).isEqualTo(consumes);
        assertThat(opcode.control()).isEqualTo(control);
        assertThat(Opcode.of(code)).isSameAs(opcode);
        assertThat(Opcode.ofControl(control)).isSameAs(opcode);
        assertThat(Opcode.ofControl((byte) (control | 0xB0)))
                .as("RV and Rsv do not matter")
                .isSameAs(opcode);
    }

    @ParameterizedTest
    @ValueSource(ints = {0xC, 0xD, 0xE, 0xF})
    @Requirement({"RDMAP-4.1-11", "IANA-3.1-01"})
    void refusesUnassignedAndExperimentalCodes(int code) {
        assertThat(Opcode.of(code)).isNull();
        assertThat(Opcode.ofControl(0x40 | code)).isNull();
    }

    @Test
    void readsTheVersionOfSignedOctets() {
        assertThat(Opcode.version((byte) 0x43)).isEqualTo(1);
        assertThat(Opcode.version((byte) 0x03)).isZero();
        assertThat(Opcode.version((byte) 0x83)).isEqualTo(2);
        assertThat(Opcode.version((byte) 0xF3)).isEqualTo(3);
    }

    @Test
    @Requirement("EXT-5.2.1-03")
    void knowsTwoAtomicOperations() {
        for (int code = 0; code < 16; code++) {
            AtomicOpcode operation = AtomicOpcode.of(code);
            if (operation == null) {
                assertThat(code).isNotIn(0, 2);
            } else {
                assertThat(operation.code()).isEqualTo(code).isIn(0, 2);
            }
        }
        assertThat(AtomicOpcode.of(0)).isEqualTo(AtomicOpcode.FETCH_ADD);
        assertThat(AtomicOpcode.of(2)).isEqualTo(AtomicOpcode.COMPARE_SWAP);
    }

    @Test
    @Requirement({"DRAFT01-5.1.2-01", "DRAFT01-5.2.1-02", "DRAFT01-10-01"})
    void knowsTheDraftsSwapOnlyWhereAskedFor() {
        for (int code = 0; code < 16; code++) {
            AtomicOpcode standard = AtomicOpcode.of(code);
            assertThat(AtomicOpcode.ofDraft(code)).isEqualTo(code == 1 ? AtomicOpcode.DRAFT_SWAP : standard);
        }
    }
}
