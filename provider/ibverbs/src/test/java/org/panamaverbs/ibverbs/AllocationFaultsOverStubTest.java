package org.panamaverbs.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.panamaverbs.ibverbs.stub.FaultyStubLives;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.testkit.faults.FaultRun;
import org.panamaverbs.testkit.faults.FaultScenario;
import org.panamaverbs.testkit.faults.FaultSelection;
import org.panamaverbs.testkit.faults.FaultyClasses;

/** Memory that runs out at one allocation after the other; {@link FaultSelection} says which are tried. */
class AllocationFaultsOverStubTest {
    private static final int STRIDE = 12;

    @BeforeAll
    static void stub() {
        Stub.require();
    }

    @Test
    void everythingGoesOnAfterAFault() throws Exception {
        FaultyClasses classes = FaultyClasses.ofProvider();
        Class.forName(Stub.class.getName(), true, classes); // before what looks for the libraries
        classes.loadAll(IbverbsProvider.class);
        Class<?> lives = Class.forName(FaultyStubLives.class.getName(), true, classes);

        FaultRun.Outcome outcome = new FaultRun(
                        () -> (FaultScenario) lives.getConstructor().newInstance())
                .run(FaultSelection.ofProperties(STRIDE));

        System.out.println("ibverbs: " + outcome);
        assertThat(outcome.findings()).isEmpty();
        assertThat(outcome.reached()).isPositive();
    }
}
