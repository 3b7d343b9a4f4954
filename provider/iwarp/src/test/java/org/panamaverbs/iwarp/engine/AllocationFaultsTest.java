package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.iwarp.IwarpProvider;
import org.panamaverbs.iwarp.net.unix.SharedMemory;
import org.panamaverbs.testkit.faults.FaultRun;
import org.panamaverbs.testkit.faults.FaultScenario;
import org.panamaverbs.testkit.faults.FaultSelection;
import org.panamaverbs.testkit.faults.FaultyClasses;

/**
 * Memory that runs out at one allocation after the other; {@link FaultSelection} says which are tried, and
 * {@code -Dfaults.options=TEXT} with which options alone.
 */
class AllocationFaultsTest {
    @ParameterizedTest
    @CsvSource({"240, sockets=libc shm=off", "480, sockets=libc shm=require shm.max=4 shm.direct=off"})
    void everythingGoesOnAfterAFewFaults(int stride, String options) throws Exception {
        expectRecovery(stride, options);
    }

    @ParameterizedTest
    @Tag("proof")
    @CsvSource({
        "12, sockets=libc shm=off",
        "60, sockets=nio",
        "60, sockets=libc tls",
        "60, sockets=nio tls",
        "60, progress=spin shm=off",
        // A stream's files that were not given back would be missed by the next one.
        "60, sockets=libc shm=require shm.max=4",
        "240, sockets=libc shm=require shm.max=4 shm.direct=on"
    })
    void everythingGoesOnAfterAFault(int stride, String options) throws Exception {
        expectRecovery(stride, options);
    }

    private static void expectRecovery(int stride, String options) throws Exception {
        assumeTrue(options.equals(System.getProperty("faults.options", options)));
        assumeTrue(!options.contains("shm=require") || SharedMemory.obstacle().isEmpty());
        FaultyClasses classes = FaultyClasses.ofProvider();
        classes.loadAll(IwarpProvider.class);
        Class<?> lives = Class.forName(FaultyLives.class.getName(), true, classes);

        FaultRun.Outcome outcome = new FaultRun(
                        () -> (FaultScenario) lives.getConstructor(String.class).newInstance(options))
                .run(FaultSelection.ofProperties(stride));

        System.out.println(options + ": " + outcome);
        assertThat(outcome.findings()).isEmpty();
        assertThat(outcome.reached()).isPositive();
    }
}
