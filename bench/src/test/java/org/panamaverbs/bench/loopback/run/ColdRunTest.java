package org.panamaverbs.bench.loopback.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.bench.loopback.run.ColdRun.Window;

/** When a run that began cold has reached its speed. */
class ColdRunTest {
    private static List<Window> windows(double... nanosPerMessage) {
        List<Window> windows = new ArrayList<>();
        for (double nanos : nanosPerMessage) {
            int number = windows.size() + 1;
            windows.add(new Window(number / 10.0, number * 1000L, number / 5.0, nanos));
        }
        return windows;
    }

    @Test
    void theSteadyCostIsTheMedianOfTheLastThird() {
        assertThat(ColdRun.steadyNanos(windows(9000, 800, 700, 300, 200, 110, 100, 500, 90)))
                .isEqualTo(100);
    }

    @Test
    void theFirstWindowThatIsNearItCounts() {
        assertThat(ColdRun.reached(windows(9000, 800, 700, 121, 119, 130, 100, 100, 100)))
                .isEqualTo(new Window(0.5, 5000, 1.0, 119));
    }
}
