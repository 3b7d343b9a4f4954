package org.panamaverbs.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.ibverbs.stub.FaultyStubLives;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.testkit.faults.FaultRun;
import org.panamaverbs.testkit.faults.FaultScenario;
import org.panamaverbs.testkit.faults.FaultSelection;
import org.panamaverbs.testkit.faults.FaultyClasses;

/** Memory that runs out at one allocation after the other; {@link FaultSelection} says which are tried. */
class AllocationFaultsOverStubTest {
    @BeforeAll
    static void stub() {
        Stub.require();
    }

    @Test
    void everythingGoesOnAfterAFewFaults() throws Exception {
        expectRecovery(120, 1);
    }

    @ParameterizedTest
    @Tag("proof")
    @CsvSource({"12, 1", "24, 3"})
    void everythingGoesOnAfterAFault(int stride, int failures) throws Exception {
        expectRecovery(stride, failures);
    }

    private static void expectRecovery(int stride, int failures) throws Exception {
        FaultyClasses classes = FaultyClasses.ofProvider();
        Class.forName(Stub.class.getName(), true, classes); // before what looks for the libraries
        classes.loadAll(IbverbsProvider.class);
        Class<?> lives = Class.forName(FaultyStubLives.class.getName(), true, classes);

        FaultRun.Outcome outcome = new FaultRun(
                        () -> (FaultScenario) lives.getConstructor().newInstance())
                .run(selection(stride, failures));

        System.out.println("ibverbs, " + failures + " in a row: " + outcome);
        assertThat(outcome.findings()).isEmpty();
        assertThat(outcome.reached()).isPositive();
    }

    /** Failures in a row are those that are asked for, if any are. */
    private static FaultSelection selection(int stride, int failures) {
        FaultSelection asked = FaultSelection.ofProperties(stride);
        return new FaultSelection(
                asked.stride(), asked.first(), asked.at(), Integer.getInteger("faults.failures", failures));
    }
}
