package org.panamaverbs.bench.compare.standing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.bench.compare.contestant.CFloor;
import org.panamaverbs.bench.compare.contestant.JavaPeer;
import org.panamaverbs.bench.compare.contestant.Ours;
import org.panamaverbs.bench.compare.contestant.Question;

/** Which targets are met. */
class TargetTest {
    private static final Target WRITE_64 = Target.ALL.getFirst();
    private static final Target BATCH_64 = Target.ALL.stream()
            .filter(target -> target.question() == Question.BATCH_64)
            .findFirst()
            .orElseThrow();

    private static Target.Result judge(Target target, Sample... samples) {
        return target.judge(new Standings(List.of(samples))).result();
    }

    @Test
    void meetsARatioUpToIt() {
        assertThat(WRITE_64.judge(new Standings(Runs.comparison().samples())).result())
                .isEqualTo(Target.Result.MET);
        Sample floor = Runs.sample(Question.WRITE_64, CFloor.LINE, 1, 100);
        assertThat(judge(WRITE_64, floor, Runs.sample(Question.WRITE_64, Ours.CRC_ON, 1, 125)))
                .isEqualTo(Target.Result.MET);
        assertThat(judge(WRITE_64, floor, Runs.sample(Question.WRITE_64, Ours.CRC_ON, 1, 126)))
                .isEqualTo(Target.Result.MISSED);
    }

    @Test
    void missesWhatSomebodyElseDoesFaster() {
        List<Sample> samples = new ArrayList<>(Runs.comparison().samples());
        samples.removeIf(sample -> sample.line().equals(JavaPeer.AERON_LINE));
        samples.add(Runs.sample(Question.SEND_64, JavaPeer.AERON_LINE, 1, 6100));
        Target.Verdict verdict = WRITE_64.judge(new Standings(samples));
        assertThat(verdict.result()).isEqualTo(Target.Result.MISSED);
        assertThat(verdict.reached()).contains("Aeron UDP 1.02 x C");
    }

    @Test
    void wantsARateAndItsRatio() {
        Sample floor = Runs.sample(Question.BATCH_64, CFloor.LINE, 1, 10e6);
        assertThat(judge(BATCH_64, floor, Runs.sample(Question.BATCH_64, Ours.CRC_ON, 1, 5e6)))
                .isEqualTo(Target.Result.MET);
        assertThat(judge(BATCH_64, floor, Runs.sample(Question.BATCH_64, Ours.CRC_ON, 1, 4.9e6)))
                .isEqualTo(Target.Result.MISSED);
        Sample fastFloor = Runs.sample(Question.BATCH_64, CFloor.LINE, 1, 20e6);
        assertThat(judge(BATCH_64, fastFloor, Runs.sample(Question.BATCH_64, Ours.CRC_ON, 1, 5.9e6)))
                .isEqualTo(Target.Result.MISSED);
    }

    @Test
    void doesNotJudgeWhatWasNotMeasured() {
        assertThat(judge(WRITE_64)).isEqualTo(Target.Result.UNKNOWN);
        assertThat(judge(WRITE_64, Runs.sample(Question.WRITE_64, Ours.CRC_ON, 1, 1)))
                .isEqualTo(Target.Result.UNKNOWN);
    }
}
