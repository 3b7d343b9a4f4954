package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.Terminate;
import org.panamaverbs.iwarp.wire.TerminateCode;

/** What the application reads of a fault. */
class FaultTest {
    private static TerminateCause told(int layer, int errorType, int code) {
        TerminateCode numbers = TerminateCode.lookup(layer, errorType, code);
        return Fault.remote(new Terminate(numbers, Terminate.NO_LENGTH, Octets.EMPTY, Octets.EMPTY, false))
                .cause();
    }

    @Test
    void namesTheSectionThatDefinesACode() {
        TerminateCause cause = Fault.local(TerminateCode.TAGGED_BOUNDS, "").cause();

        assertThat(cause.reference()).isEqualTo("RFC 5041 §7.2");
        assertThat(cause)
                .hasToString(
                        "1/1/01 tagged buffer error: base or bounds violation (found here; RFC 5041 §7.2); remedy: "
                                + cause.remedy());
    }

    @Test
    void namesNoSectionForACodeThatNoneDefines() {
        TerminateCause cause = told(0, 7, 0x42);

        assertThat(cause.reference()).isEmpty();
        assertThat(cause.toString())
                .startsWith("0/7/42 unregistered error, layer 0, type 7, code 0x42 (found by the peer); remedy: ");
    }

    @Test
    void namesTheSectionOfTheMpaCodesForTheErrorTypeOfOtherAdapters() {
        assertThat(told(2, 3, 0x02).reference()).isEqualTo("RFC 5044 §8");
    }
}
