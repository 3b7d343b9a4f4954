package org.panamaverbs.bench.compare.standing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.bench.compare.contestant.CFloor;
import org.panamaverbs.bench.compare.contestant.JavaPeer;
import org.panamaverbs.bench.compare.contestant.Ours;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.result.Verdict;

/** Which targets are met. */
class TargetTest {
    private static final Target WRITE_64 = Target.ALL.getFirst();
    private static final Target BATCH_64 = Target.ALL.stream()
            .filter(target -> target.question() == Question.BATCH_64)
            .findFirst()
            .orElseThrow();

    private static Verdict.Outcome judge(Target target, Sample... samples) {
        return target.judge(new Standings(List.of(samples))).outcome();
    }

    @Test
    void meetsARatioUpToIt() {
        assertThat(WRITE_64.judge(new Standings(Runs.comparison().samples())).outcome())
                .isEqualTo(Verdict.Outcome.MET);
        Sample floor = Runs.sample(Question.WRITE_64, CFloor.LINE, 1, 100);
        assertThat(judge(WRITE_64, floor, Runs.sample(Question.WRITE_64, Ours.CRC_ON, 1, 125)))
                .isEqualTo(Verdict.Outcome.MET);
        assertThat(judge(WRITE_64, floor, Runs.sample(Question.WRITE_64, Ours.CRC_ON, 1, 126)))
                .isEqualTo(Verdict.Outcome.MISSED);
    }

    @Test
    void missesWhatSomebodyElseDoesFaster() {
        List<Sample> samples = new ArrayList<>(Runs.comparison().samples());
        samples.removeIf(sample -> sample.line().equals(JavaPeer.AERON_LINE));
        samples.add(Runs.sample(Question.SEND_64, JavaPeer.AERON_LINE, 1, 6100));
        Verdict verdict = WRITE_64.judge(new Standings(samples));
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.MISSED);
        assertThat(verdict.reached()).contains("Aeron UDP 1.02 x C");
    }

    @Test
    void wantsARateAndItsRatio() {
        Sample floor = Runs.sample(Question.BATCH_64, CFloor.LINE, 1, 10e6);
        assertThat(judge(BATCH_64, floor, Runs.sample(Question.BATCH_64, Ours.CRC_ON, 1, 5e6)))
                .isEqualTo(Verdict.Outcome.MET);
        assertThat(judge(BATCH_64, floor, Runs.sample(Question.BATCH_64, Ours.CRC_ON, 1, 4.9e6)))
                .isEqualTo(Verdict.Outcome.MISSED);
        Sample fastFloor = Runs.sample(Question.BATCH_64, CFloor.LINE, 1, 20e6);
        assertThat(judge(BATCH_64, fastFloor, Runs.sample(Question.BATCH_64, Ours.CRC_ON, 1, 5.9e6)))
                .isEqualTo(Verdict.Outcome.MISSED);
    }

    @Test
    void doesNotJudgeWhatWasNotMeasured() {
        assertThat(judge(WRITE_64)).isEqualTo(Verdict.Outcome.UNKNOWN);
        assertThat(judge(WRITE_64, Runs.sample(Question.WRITE_64, Ours.CRC_ON, 1, 1)))
                .isEqualTo(Verdict.Outcome.UNKNOWN);
    }

    @Test
    void decidesOnlyIfAllRoundsAreOnOneSide() {
        List<Sample> samples = new ArrayList<>();
        for (int round = 1; round <= 3; round++) {
            samples.add(Runs.sample(Question.WRITE_64, CFloor.LINE, round, 100));
            samples.add(Runs.sample(Question.WRITE_64, Ours.CRC_ON, round, 115 + 5 * round));
        }
        Verdict verdict = WRITE_64.judge(new Standings(samples));
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.UNDECIDED);
        assertThat(verdict.reached()).startsWith("1.25 (1.20 to 1.30) x C");
    }
}
