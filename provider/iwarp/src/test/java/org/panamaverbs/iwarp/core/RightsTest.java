package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.Requirement;

/** Each right alone and with every other: a peer gets what it was given, and nothing else (RFC 5040 §8.1.1). */
class RightsTest {
    private static final Access[] RIGHTS = {Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC};
    private static final String[] REFUSALS = {"1/1/00", "0/1/02", "0/1/02"};
    private static final int BYTES = 64;

    static IntStream combinations() {
        return IntStream.range(0, 1 << RIGHTS.length);
    }

    private static int access(int combination) {
        int access = Access.mask(Access.LOCAL_WRITE);
        for (int i = 0; i < RIGHTS.length; i++) {
            access |= (combination >> i & 1) != 0 ? Access.mask(RIGHTS[i]) : 0;
        }
        return access;
    }

    @ParameterizedTest
    @MethodSource("combinations")
    @Requirement({"RDMAP-8.1.1-5-01", "RDMAP-7.2-11", "DDP-7.1-T2-01", "SEC-6.3.5-01"})
    void aPeerGetsTheRightsItWasGiven(int combination) {
        for (int operation = 0; operation < RIGHTS.length; operation++) {
            RawPeer peer = new RawPeer(true);
            Guarded memory =
                    peer.side.memory(BYTES, 0x4000, access(combination)).pattern(1);
            byte[] before = memory.bytes();
            peer.inject(
                    switch (operation) {
                        case 0 -> Segments.write(memory.stag(), memory.base, (byte) ~before[0]);
                        case 1 -> Segments.readRequest(1, 7, 0, BYTES, memory.stag(), memory.base);
                        default -> Segments.fetchAdd(1, 7, memory.stag(), memory.base, 1);
                    });
            if ((combination >> operation & 1) != 0) {
                assertThat(peer.side.stream.fault()).as("%s", RIGHTS[operation]).isNull();
                assertThat(peer.answers).hasSize(operation == 0 ? 0 : 1);
                assertThat(memory.bytes()[0] != before[0]).as("changes memory").isEqualTo(operation != 1);
            } else {
                assertThat(peer.answers)
                        .as("%s", RIGHTS[operation])
                        .singleElement()
                        .satisfies(refusal -> assertThat(refusal.isTerminate()).isTrue());
                assertThat(peer.answers.getFirst().code()).isEqualTo(REFUSALS[operation]);
                assertThat(memory.bytes()).isEqualTo(before);
            }
            memory.assertGuards();
        }
    }
}
