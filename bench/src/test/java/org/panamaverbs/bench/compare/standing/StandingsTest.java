package org.panamaverbs.bench.compare.standing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.bench.compare.contestant.CFloor;
import org.panamaverbs.bench.compare.contestant.JavaPeer;
import org.panamaverbs.bench.compare.contestant.Ours;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.compare.contestant.UcxPerftest;
import org.panamaverbs.bench.result.Result;

/** Medians and ratios of a run. */
class StandingsTest {

    @Test
    void comparesEachRoundWithItsOwnFloor() {
        Standings standings = new Standings(List.of(
                Runs.sample(Question.WRITE_64, CFloor.LINE, 1, 10),
                Runs.sample(Question.WRITE_64, CFloor.LINE, 2, 100),
                Runs.sample(Question.WRITE_64, CFloor.LINE, 3, 20),
                Runs.sample(Question.READ_64, Ours.CRC_ON, 1, 20),
                Runs.sample(Question.READ_64, Ours.CRC_ON, 2, 110),
                Runs.sample(Question.READ_64, Ours.CRC_ON, 3, 24)));
        Result standing = standings.find(Question.READ_64, Ours.CRC_ON).orElseThrow();
        assertThat(standing.ratio().median()).isEqualTo(1.2);
        assertThat(standing.spread().median()).isEqualTo(24);
        assertThat(standing.spread().least()).isEqualTo(20);
        assertThat(standing.spread().most()).isEqualTo(110);
    }

    @Test
    void comparesWithTheFloorBeforeAndAfter() {
        Standings standings = new Standings(List.of(
                Runs.sample(Question.WRITE_64, CFloor.LINE, 1, 10),
                Runs.sample(Question.WRITE_64, Ours.CRC_ON, 1, 12.6),
                Runs.sample(Question.WRITE_64, CFloor.LINE, 1, 11),
                Runs.sample(Question.WRITE_64, UcxPerftest.PUT, 1, 33),
                Runs.sample(Question.WRITE_64, CFloor.LINE, 2, 100)));
        assertThat(standings
                        .find(Question.WRITE_64, Ours.CRC_ON)
                        .orElseThrow()
                        .ratio()
                        .median())
                .isEqualTo(1.2);
        assertThat(standings
                        .find(Question.WRITE_64, UcxPerftest.PUT)
                        .orElseThrow()
                        .ratio()
                        .median())
                .isEqualTo(3);
    }

    @Test
    void countsRoundsWithSteadyFloorsOnlyIfThereAreSome() {
        List<Sample> swaying = List.of(
                Runs.sample(Question.WRITE_64, CFloor.LINE, 1, 10),
                Runs.sample(Question.WRITE_64, Ours.CRC_ON, 1, 30),
                Runs.sample(Question.WRITE_64, CFloor.LINE, 1, 20));
        Result unsteady =
                new Standings(swaying).find(Question.WRITE_64, Ours.CRC_ON).orElseThrow();
        assertThat(unsteady.ratio().median()).isEqualTo(2);
        assertThat(unsteady.floors().getFirst().steady()).isZero();
        List<Sample> samples = new ArrayList<>(swaying);
        samples.add(Runs.sample(Question.WRITE_64, CFloor.LINE, 2, 10));
        samples.add(Runs.sample(Question.WRITE_64, Ours.CRC_ON, 2, 11));
        samples.add(Runs.sample(Question.WRITE_64, CFloor.LINE, 2, 10));
        Result steady =
                new Standings(samples).find(Question.WRITE_64, Ours.CRC_ON).orElseThrow();
        assertThat(steady.ratio().median()).isEqualTo(1.1);
        assertThat(steady.floors().getFirst().steady()).isEqualTo(1);
        assertThat(steady.rounds()).hasSize(2);
        assertThat(steady.spread().most()).isEqualTo(30);
    }

    @Test
    void leavesOutRoundsWithoutFloor() {
        Standings standings = new Standings(List.of(
                Runs.sample(Question.WRITE_4K, CFloor.LINE, 1, 10),
                Runs.sample(Question.WRITE_4K, Ours.CRC_ON, 1, 12),
                Runs.sample(Question.WRITE_4K, Ours.CRC_ON, 2, 99)));
        assertThat(standings
                        .find(Question.WRITE_4K, Ours.CRC_ON)
                        .orElseThrow()
                        .ratio()
                        .median())
                .isEqualTo(1.2);
        assertThat(new Standings(List.of(Runs.sample(Question.WRITE_4K, Ours.CRC_ON, 2, 99)))
                        .find(Question.WRITE_4K, Ours.CRC_ON)
                        .orElseThrow()
                        .ratio()
                        .median())
                .isNaN();
    }

    @Test
    void putsMessagesBesideWritesButNotOurOwn() {
        Standings standings = new Standings(Runs.comparison().samples());
        assertThat(standings.of(Question.WRITE_64))
                .extracting(Result::title)
                .containsExactly(CFloor.LINE, Ours.CRC_ON, UcxPerftest.PUT, UcxPerftest.TAG, JavaPeer.AERON_LINE);
        assertThat(standings.of(Question.SEND_64))
                .extracting(Result::title)
                .containsExactly(CFloor.LINE, Ours.CRC_ON, UcxPerftest.TAG, JavaPeer.AERON_LINE);
    }
}
