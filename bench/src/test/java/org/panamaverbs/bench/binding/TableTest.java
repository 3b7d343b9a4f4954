package org.panamaverbs.bench.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the table makes of a run's figures. */
class TableTest {
    private static final Line C = new Line("PostSend", "c", List.of(1.0, 2.0, 1.5), 0);
    private static final Line JNI = new Line("PostSend", "jni", List.of(8.0, 16.0, 12.0), 0.001);

    private static Line ours(double bytes, Double... nanos) {
        return new Line("PostSend", "opsCritical", List.of(nanos), bytes);
    }

    @Test
    void comparesEachRoundWithItself() {
        assertThat(ours(0, 2.0, 5.0, 3.0).over(C)).isEqualTo(2.0);
        assertThat(ours(0, 2.0, 5.0, 3.0).over(JNI)).isEqualTo(0.25);
    }

    @Test
    void meetsTargetsUpToThem() {
        Table table = new Table(List.of(C, JNI, ours(0, 3.0, 6.0, 4.5)));
        assertThat(table.meetsTargets()).isTrue();
        assertThat(table.text())
                .contains("| PostSend | opsCritical | 4.50 | 3.00 to 6.00 | 3.00 | 0.38 | 0 |")
                .contains("PostSend, opsCritical: 3.00 x c, at most 3.0: met")
                .contains("0 B/op: met");
    }

    @Test
    void missesTargetsBeyondThem() {
        Table table = new Table(List.of(C, JNI, ours(0, 5.0, 10.0, 7.5)));
        assertThat(table.meetsTargets()).isFalse();
        assertThat(table.text()).contains("5.00 x c, at most 3.0: MISSED").contains("0.63 x jni, at most 0.5: MISSED");
    }

    @Test
    void reportsWhatAllocates() {
        Table table = new Table(List.of(C, JNI, ours(24, 2.0, 4.0, 3.0)));
        assertThat(table.meetsTargets()).isFalse();
        assertThat(table.text()).contains("0 B/op: MISSED by [PostSend opsCritical]");
    }

    @Test
    void addsUpWhatPostingAndPollingCost() {
        List<Line> lines = List.of(
                new Line("Write", "c", List.of(2.0), 0),
                new Line("Write", "postCritical", List.of(14.0), 0),
                new Line("Completion of 1", "c", List.of(3.0), 0),
                new Line("Completion of 1", "pollCritical", List.of(17.5), 0),
                new Line("Completion of 16", "c", List.of(20.0), 0),
                new Line("Completion of 16", "pollCritical", List.of(100.0), 0));
        assertThat(new Table(lines).text()).contains("26.5 ns more than in C, at most 25: MISSED");
        assertThat(new Table(lines).meetsTargets()).isFalse();
    }

    @Test
    void holdsOtherSubjectsApart() {
        Line poll = new Line("PollCq of 16", "opsCritical", List.of(100.0, 100.0, 100.0), 0);
        assertThat(new Table(List.of(C, JNI, poll)).text())
                .contains("| PollCq of 16 | opsCritical | 100.00 | 100.00 to 100.00 |  |  | 0 |");
    }
}
