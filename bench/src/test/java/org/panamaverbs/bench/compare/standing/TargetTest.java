package org.panamaverbs.bench.compare.standing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.panamaverbs.bench.compare.contestant.CFloor;
import org.panamaverbs.bench.compare.contestant.JavaPeer;
import org.panamaverbs.bench.compare.contestant.Libfabric;
import org.panamaverbs.bench.compare.contestant.OpenMpi;
import org.panamaverbs.bench.compare.contestant.Ours;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.compare.contestant.UcxPerftest;
import org.panamaverbs.bench.result.Verdict;

/** Which targets are met. */
class TargetTest {
    private static final Target WRITE_64 = Target.ALL.getFirst();
    private static final Target BLOCKING_64 = target(Question.BLOCKING_64);
    private static final Target BATCH_16 = target(Question.BATCH_16);
    private static final Target HOST_WRITE_64 = target(Question.HOST_WRITE_64);
    private static final Target HOST_BATCH_64 = target(Question.HOST_BATCH_64);
    private static final Target HOST_ALLOCATION = target(Question.HOST_ALLOCATION);

    private static Target target(Question question) {
        return Target.ALL.stream()
                .filter(target -> target.question() == question)
                .findFirst()
                .orElseThrow();
    }

    private static Verdict.Outcome judge(Target target, Sample... samples) {
        return target.judge(new Standings(List.of(samples))).outcome();
    }

    @Test
    void meetsARatioUpToIt() {
        Sample floor = Runs.sample(Question.BLOCKING_64, CFloor.LINE, 1, 1000);
        assertThat(judge(BLOCKING_64, floor, Runs.sample(Question.BLOCKING_64, Ours.CRC_ON, 1, 950)))
                .isEqualTo(Verdict.Outcome.MET);
        assertThat(judge(BLOCKING_64, floor, Runs.sample(Question.BLOCKING_64, Ours.CRC_ON, 1, 951)))
                .isEqualTo(Verdict.Outcome.MISSED);
    }

    private static List<Sample> everybody(double ours, double tail, double netty) {
        return List.of(
                Runs.trips(Question.WRITE_64, CFloor.LINE, 1, 1000),
                new Sample(Question.WRITE_64, Ours.CRC_ON, 1, ours, Map.of(99.9, tail), Runs.QUIET),
                Runs.sample(Question.WRITE_64, UcxPerftest.PUT, 1, 2500),
                Runs.sample(Question.SEND_64, UcxPerftest.TAG, 1, 1200),
                Runs.sample(Question.SEND_64, Libfabric.Provider.TCP.line(), 1, 2000),
                Runs.sample(Question.SEND_64, JavaPeer.JUCX_LINE, 1, 1400),
                Runs.sample(Question.SEND_64, JavaPeer.NETTY_LINE, 1, netty));
    }

    @Test
    void missesWhatSomebodyElseDoesFaster() {
        assertThat(WRITE_64.judge(new Standings(everybody(1090, 9000, 1400))).outcome())
                .isEqualTo(Verdict.Outcome.MET);
        Verdict verdict = WRITE_64.judge(new Standings(everybody(1090, 9000, 1020)));
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.MISSED);
        assertThat(verdict.reached()).contains("Netty 1.02 x C");
    }

    @Test
    void missesATailThatIsLongerThanTheFloors() {
        Verdict verdict = WRITE_64.judge(new Standings(everybody(1090, 9300, 1400)));
        assertThat(verdict.outcome()).as("C's is 8000").isEqualTo(Verdict.Outcome.MISSED);
        assertThat(verdict.reached()).contains("p99.9 1.16 x that of C");
        assertThat(judge(
                        WRITE_64,
                        Runs.trips(Question.WRITE_64, CFloor.LINE, 1, 1000),
                        Runs.sample(Question.WRITE_64, Ours.CRC_ON, 1, 1090)))
                .as("no percentiles, and nobody else")
                .isEqualTo(Verdict.Outcome.UNDECIDED);
    }

    @Test
    void wantsARatioOfRates() {
        Sample floor = Runs.sample(Question.BATCH_16, CFloor.LINE, 1, 4e6);
        assertThat(judge(BATCH_16, floor, Runs.sample(Question.BATCH_16, Ours.CRC_ON, 1, 4e6)))
                .isEqualTo(Verdict.Outcome.MET);
        assertThat(judge(BATCH_16, floor, Runs.sample(Question.BATCH_16, Ours.CRC_ON, 1, 3.9e6)))
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
            samples.add(Runs.sample(Question.BLOCKING_64, CFloor.LINE, round, 100));
            samples.add(Runs.sample(Question.BLOCKING_64, Ours.CRC_ON, round, 85 + 5 * round));
        }
        Verdict verdict = BLOCKING_64.judge(new Standings(samples));
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.UNDECIDED);
        assertThat(verdict.reached()).startsWith("0.95 (0.90 to 1.00) x C");
    }

    @Test
    void leavesUndecidedWhoItIsAheadOfIfTheyAreNotThere() {
        Sample floor = Runs.sample(Question.WRITE_64, CFloor.LINE, 1, 100);
        Verdict verdict =
                WRITE_64.judge(new Standings(List.of(floor, Runs.sample(Question.WRITE_64, Ours.CRC_ON, 1, 101))));
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.UNDECIDED);
        assertThat(verdict.reached()).contains("UCX put not measured");
    }

    private static List<Sample> batches(double before, double own, double after, int round) {
        Question question = Question.HOST_BATCH_64;
        return List.of(
                Runs.sample(question, question.floorLine(), round, before),
                Runs.sample(question, Ours.SHARED_MEMORY, round, own),
                Runs.sample(question, question.floorLine(), round, after));
    }

    @Test
    void judgesAnAbsoluteFigureByTheMedianOfSteadyRounds() {
        List<Sample> samples = new ArrayList<>();
        samples.addAll(batches(20e6, 9e6, 20e6, 1));
        samples.addAll(batches(20e6, 7e6, 20e6, 2));
        samples.addAll(batches(20e6, 8.5e6, 21e6, 3));
        assertThat(HOST_BATCH_64.judge(new Standings(samples)).outcome())
                .as("7 is a round of three whose median is 8.5")
                .isEqualTo(Verdict.Outcome.MET);
        samples.addAll(batches(20e6, 30e6, 40e6, 4));
        assertThat(HOST_BATCH_64.judge(new Standings(samples)).reached())
                .as("the floor of 30 moved")
                .contains("8.50 M/s in steady rounds");
        samples.addAll(batches(20e6, 7e6, 20e6, 5));
        samples.addAll(batches(20e6, 7e6, 20e6, 6));
        assertThat(HOST_BATCH_64.judge(new Standings(samples)).outcome()).isEqualTo(Verdict.Outcome.MISSED);
        assertThat(HOST_BATCH_64
                        .judge(new Standings(batches(20e6, 30e6, 40e6, 1)))
                        .outcome())
                .isEqualTo(Verdict.Outcome.UNDECIDED);
    }

    @Test
    void wantsSharedMemoryToBeFastAndAheadOfOthers() {
        Question question = Question.HOST_WRITE_64;
        List<Sample> samples = new ArrayList<>();
        for (int round = 1; round <= 2; round++) {
            samples.add(Runs.sample(question, question.floorLine(), round, 250));
            samples.add(Runs.sample(question, Ours.SHARED_MEMORY, round, 900));
            samples.add(Runs.sample(question, OpenMpi.PUT, round, 1500));
            samples.add(Runs.sample(Question.HOST_SEND_64, JavaPeer.JUCX_POSIX_LINE, round, 2000));
            samples.add(Runs.sample(Question.HOST_SEND_64, Libfabric.Provider.SHM.line(), round, 1200));
        }
        assertThat(HOST_WRITE_64.judge(new Standings(samples)).outcome()).isEqualTo(Verdict.Outcome.MET);
        samples.replaceAll(sample ->
                sample.line().equals(OpenMpi.PUT) ? Runs.sample(question, OpenMpi.PUT, sample.round(), 800) : sample);
        assertThat(HOST_WRITE_64.judge(new Standings(samples)).outcome()).isEqualTo(Verdict.Outcome.MISSED);
    }

    @Test
    void judgesAllocationWithoutAFloor() {
        assertThat(judge(HOST_ALLOCATION)).isEqualTo(Verdict.Outcome.UNKNOWN);
        assertThat(judge(HOST_ALLOCATION, Runs.sample(Question.HOST_ALLOCATION, Ours.SHARED_MEMORY, 1, 0.001)))
                .isEqualTo(Verdict.Outcome.MET);
        assertThat(judge(HOST_ALLOCATION, Runs.sample(Question.HOST_ALLOCATION, Ours.SHARED_MEMORY, 1, 24)))
                .isEqualTo(Verdict.Outcome.MISSED);
    }
}
