package org.panamaverbs.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.testkit.faults.CallSites;

/** What a class of this provider, or below it, must not leave to be linked where the stack may end. */
class CallSitesTest {
    @ParameterizedTest
    @ValueSource(classes = {Downcalls.class, ManagedResource.class, Verbs.class, IwarpProvider.class})
    void noConcatenationIsLinkedWhenItIsReached(Class<?> witness) throws IOException {
        assertThat(CallSites.concatenations(witness)).isEmpty();
    }
}
