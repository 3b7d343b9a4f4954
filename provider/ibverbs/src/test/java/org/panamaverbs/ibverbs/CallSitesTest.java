package org.panamaverbs.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.panamaverbs.testkit.faults.CallSites;

/** What a class of this provider must not leave to be linked where the stack may end. */
class CallSitesTest {
    @Test
    void noConcatenationIsLinkedWhenItIsReached() throws IOException {
        assertThat(CallSites.concatenations(IbverbsProvider.class)).isEmpty();
    }
}
