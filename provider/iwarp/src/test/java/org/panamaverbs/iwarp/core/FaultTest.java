package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.TerminateCause;
import org.panamaverbs.iwarp.wire.TerminateCode;

/** What the application reads of a fault. */
class FaultTest {
    @Test
    void namesTheSectionThatDefinesACode() {
        TerminateCause cause = Fault.local(TerminateCode.TAGGED_BOUNDS, "").cause();

        assertThat(cause.reference()).isEqualTo("RFC 5041 §7.2");
        assertThat(cause)
                .hasToString("1/1/01 tagged buffer error: base or bounds violation (found here; RFC 5041 §7.2)");
    }

    @Test
    void namesNoSectionForACodeThatNoneDefines() {
        TerminateCause cause = Fault.remote(TerminateCode.lookup(0, 7, 0x42)).cause();

        assertThat(cause.reference()).isEmpty();
        assertThat(cause).hasToString("0/7/42 unregistered error, layer 0, type 7, code 0x42 (found by the peer)");
    }

    @Test
    void namesTheSectionOfTheMpaCodesForTheErrorTypeOfOtherAdapters() {
        TerminateCause cause = Fault.remote(TerminateCode.lookup(2, 3, 0x02)).cause();

        assertThat(cause.reference()).isEqualTo("RFC 5044 §8");
    }
}
