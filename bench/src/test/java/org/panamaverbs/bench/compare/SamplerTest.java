package org.panamaverbs.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.bench.compare.contestant.CFloor;
import org.panamaverbs.bench.compare.contestant.Children;
import org.panamaverbs.bench.compare.contestant.Contestant;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.compare.contestant.Reading;
import org.panamaverbs.bench.compare.standing.Floors;
import org.panamaverbs.bench.compare.standing.Sample;

/** Samples between two of the floor. */
class SamplerTest {
    private static final Question QUESTION = Question.WRITE_64;
    private static final String OURS = "ours";

    private final Deque<Double> floors = new ArrayDeque<>();
    private final Deque<Double> values = new ArrayDeque<>();
    private final List<String> failures = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private Sampler sampler;

    @BeforeEach
    void makeSampler() {
        sampler = new Sampler(failures, said::add);
    }

    private static Contestant.Job job(String line, Deque<Double> values) {
        return new Contestant.Job(QUESTION, line, () -> {
            Double next = values.poll();
            if (next == null) {
                throw new Children.FailedException("out of order");
            }
            return Reading.of(next);
        });
    }

    private final Contestant.Job floor = job(CFloor.LINE, floors);
    private final Contestant.Job job = job(OURS, values);

    private void take(int round) throws IOException, InterruptedException {
        sampler.takeOnFloor(round, job, floor, "");
    }

    private List<Double> found() {
        return sampler.samples().stream().map(Sample::value).toList();
    }

    @Test
    void standsBetweenTwoFloors() throws Exception {
        floors.addAll(List.of(10.0, 11.0));
        values.add(12.0);
        take(1);
        assertThat(found()).containsExactly(10.0, 12.0, 11.0);
        assertThat(failures).isEmpty();
    }

    @Test
    void nextOneOfTheRoundBeginsOnTheLastFloor() throws Exception {
        floors.addAll(List.of(10.0, 11.0, 10.5));
        values.addAll(List.of(12.0, 13.0));
        take(1);
        take(1);
        assertThat(found()).containsExactly(10.0, 12.0, 11.0, 13.0, 10.5);
    }

    @Test
    void nextRoundHasAFloorOfItsOwn() throws Exception {
        floors.addAll(List.of(10.0, 11.0, 10.5, 10.6));
        values.addAll(List.of(12.0, 13.0));
        take(1);
        take(2);
        assertThat(found()).containsExactly(10.0, 12.0, 11.0, 10.5, 13.0, 10.6);
    }

    @Test
    void isTakenAgainWhenTheFloorMoves() throws Exception {
        floors.addAll(List.of(10.0, 15.0, 15.5));
        values.addAll(List.of(12.0, 18.0));
        take(1);
        assertThat(found()).containsExactly(10.0, 15.0, 18.0, 15.5);
        assertThat(said).anyMatch(line -> line.contains("once more"));
    }

    @Test
    void isTakenThreeTimesAtMost() throws Exception {
        floors.addAll(List.of(10.0, 15.0, 10.0, 15.0));
        values.addAll(List.of(12.0, 18.0, 13.0));
        take(1);
        assertThat(found()).containsExactly(10.0, 15.0, 10.0, 13.0, 15.0);
        assertThat(Floors.around(sampler.samples(), 3))
                .hasValueSatisfying(around -> assertThat(around.areSteady()).isFalse());
    }

    @Test
    void whatFailsTwiceIsNotAskedAgain() throws Exception {
        floors.addAll(List.of(10.0, 10.0, 10.0, 10.0));
        take(1);
        take(1);
        values.add(12.0);
        take(1);
        assertThat(values).hasSize(1);
        assertThat(found()).containsOnly(10.0);
        assertThat(failures)
                .containsExactly(
                        QUESTION.title() + ", ours, round 1: out of order",
                        QUESTION.title() + ", ours, round 1: out of order");
    }
}
