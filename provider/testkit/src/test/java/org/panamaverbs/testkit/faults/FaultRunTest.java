package org.panamaverbs.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FaultRunTest {
    /** What it holds would count against the tests behind it. */
    @Test
    void aScenarioThatFailsWithoutAFaultIsClosed() throws Exception {
        var scenario = new Unrecovered();
        var run = new FaultRun(() -> scenario);

        assertThatThrownBy(() -> run.run((place, name) -> true, 1)).hasMessage("not as before");

        assertThat(scenario.closed).isEqualTo(1);
    }

    private static final class Unrecovered implements FaultScenario {
        private int closed;

        @Override
        public void run() {}

        @Override
        public void recover() {
            throw new AssertionError("not as before");
        }

        @Override
        public void close() {
            closed++;
        }
    }
}
