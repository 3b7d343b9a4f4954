package org.panamaverbs.iwarp.shm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who shows that it reaches the memory of a process, and who pretends to. */
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class AccessProofTest {
    private static final int SELF = (int) ProcessHandle.current().pid();
    private static final int ANOTHER = SELF + 1;

    private final SplittableRandom random = new SplittableRandom(7);
    private final MemorySegment asking = Arena.ofAuto().allocate(RingLayout.HEADER_BYTES, Long.BYTES);
    private final MemorySegment answering = Arena.ofAuto().allocate(RingLayout.HEADER_BYTES, Long.BYTES);

    private AccessProof ask() {
        return AccessProof.ask(asking, random::nextInt);
    }

    @Test
    void whoReadsTheSecretShowsIt() {
        try (AccessProof proof = ask()) {
            AccessProof.answer(answering, asking, SELF);

            assertThat(proof.missing(answering, SELF)).isEmpty();
            assertThat(AccessProof.refused(answering)).isEmpty();
        }
    }

    /** It has another process answer, which may read what it may not itself. */
    @Test
    void theAnswerOfAnotherProcessIsNone() {
        try (AccessProof proof = ask()) {
            answering.set(JAVA_LONG, RingLayout.ASKS_OFFSET, 4711);
            AccessProof.answer(answering, asking, SELF);

            assertThat(proof.missing(answering, ANOTHER)).contains("did not prove");
            assertThat(proof.missing(answering, 0)).contains("did not prove");
        }
    }

    @Test
    void anAnswerIsGoodOnce() {
        ask().close();
        AccessProof.answer(answering, asking, SELF);
        try (AccessProof next = ask()) {
            assertThat(next.missing(answering, SELF)).isNotEmpty();
            AccessProof.answer(answering, asking, SELF);

            assertThat(next.missing(answering, SELF)).isEmpty();
        }
    }

    @Test
    void aGuessIsNone() {
        try (AccessProof proof = ask()) {
            answering.set(JAVA_LONG, RingLayout.ASKS_OFFSET, 4711);
            for (int i = 0; i < 1000; i++) {
                for (int at = 0; at < RingLayout.ANSWER_BYTES; at++) {
                    answering.set(JAVA_BYTE, RingLayout.ANSWER_OFFSET + at, (byte) random.nextInt());
                }
                assertThat(proof.missing(answering, SELF)).contains("did not prove");
            }
        }
    }

    @Test
    void whoAsksNothingAndShowsNothingLetsNobodyIn() {
        try (AccessProof proof = ask()) {
            AccessProof.answer(asking, answering, SELF);

            assertThat(proof.missing(answering, SELF)).isEqualTo("the peer does not offer it");
            assertThat(asking.get(JAVA_INT, RingLayout.REFUSED_OFFSET)).isZero();
        }
    }

    /** What lies where a peer points to is told to nobody, unless it is what such a peer asks. */
    @Test
    void nobodyIsToldWhatLiesElsewhere() {
        MemorySegment other = Arena.ofAuto().allocate(64, Long.BYTES).fill((byte) 1);
        asking.set(JAVA_LONG, RingLayout.ASKS_OFFSET, other.address());

        AccessProof.answer(answering, asking, SELF);

        assertThat(answering
                        .asSlice(RingLayout.ANSWER_OFFSET, RingLayout.ANSWER_BYTES)
                        .toArray(JAVA_BYTE))
                .containsOnly(0);
        assertThat(AccessProof.refused(answering)).contains("EFAULT");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1, 1L << 62, Long.MIN_VALUE})
    void anAddressOfNothingIsAnError(long address) {
        asking.set(JAVA_LONG, RingLayout.ASKS_OFFSET, address);

        AccessProof.answer(answering, asking, SELF);

        assertThat(AccessProof.refused(answering)).contains("EFAULT");
    }

    /** A process in another pid namespace has no number here: no call is made with it. */
    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void aProcessThatIsNotSeenIsNotRead(int number) {
        try (AccessProof proof = ask()) {
            AccessProof.answer(answering, asking, number);

            assertThat(AccessProof.refused(answering)).contains("different PID namespaces");
            assertThat(proof.missing(answering, SELF)).contains("the peer's process may not access");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 4096, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void aFalseErrorNumberIsNotRepeated(int refused) {
        try (AccessProof proof = ask()) {
            answering.set(JAVA_LONG, RingLayout.ASKS_OFFSET, 4711);
            answering.set(JAVA_INT, RingLayout.REFUSED_OFFSET, refused);

            assertThat(proof.missing(answering, SELF)).contains("did not prove");
        }
    }
}
