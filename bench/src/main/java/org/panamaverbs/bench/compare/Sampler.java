package org.panamaverbs.bench.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.panamaverbs.bench.compare.contestant.Children;
import org.panamaverbs.bench.compare.contestant.Contestant;
import org.panamaverbs.bench.compare.contestant.Reading;
import org.panamaverbs.bench.compare.standing.Floors;
import org.panamaverbs.bench.compare.standing.Sample;
import org.panamaverbs.bench.machine.Load;
import org.panamaverbs.bench.machine.LoadMeter;

/** Takes samples, each between two of its floor, and again if these differ. */
final class Sampler {
    private static final int MOST_FAILURES = 2;
    private static final int MOST_ATTEMPTS = 3;

    private final List<String> failures;
    private final Consumer<String> say;
    private final Map<Contestant.Job, Integer> failed = new HashMap<>();
    private final List<Sample> samples = new ArrayList<>();

    /** Adds to {@code failures} what went wrong, and has {@code say} tell people how it goes. */
    Sampler(List<String> failures, Consumer<String> say) {
        this.failures = failures;
        this.say = say;
    }

    /** Returns what was found, in the order of time. */
    List<Sample> samples() {
        return samples;
    }

    /**
     * Measures {@code job} until {@code floor} is the same before and after, but not for ever. Of its own samples the
     * last remains, of the floor all.
     *
     * @param what what people are told in front of each sample
     */
    void takeOnFloor(int round, Contestant.Job job, Contestant.Job floor, String what)
            throws IOException, InterruptedException {
        boolean justTaken = !samples.isEmpty()
                && samples.getLast().line().equals(floor.line())
                && samples.getLast().question() == floor.question()
                && samples.getLast().round() == round;
        if (!justTaken) {
            take(round, floor, what);
        }
        for (int attempt = 1; ; attempt++) {
            boolean taken = take(round, job, what);
            int index = samples.size() - 1;
            take(round, floor, what);
            if (!taken || attempt == MOST_ATTEMPTS || isSteady(index)) {
                return;
            }
            say.accept(what + "once more, as " + floor.line() + " was not the same before and after");
            samples.remove(index);
        }
    }

    private boolean isSteady(int index) {
        return Floors.around(samples, index).map(Floors::areSteady).orElse(true);
    }

    /** Adds what {@code job} finds to the samples; false if it failed, or has failed too often. */
    boolean take(int round, Contestant.Job job, String what) throws IOException, InterruptedException {
        if (failed.getOrDefault(job, 0) >= MOST_FAILURES) {
            return false;
        }
        LoadMeter meter = new LoadMeter();
        try {
            Reading reading = job.measurement().take();
            Load load = meter.finish();
            samples.add(new Sample(job.question(), job.line(), round, reading.value(), reading.percentiles(), load));
            say.accept(what + job.question().title() + ": " + job.line() + ": "
                    + job.question().unit().text(reading.value()) + " "
                    + job.question().unit().symbol()
                    + (load.busiest().isEmpty()
                            ? ""
                            : String.format(Locale.ROOT, " (others %.0f %%: %s)", load.others(), load.busiest())));
            return true;
        } catch (Children.FailedException | RuntimeException e) {
            failed.merge(job, 1, Integer::sum);
            failures.add(job.question().title() + ", " + job.line() + ", round " + round + ": " + e.getMessage());
            say.accept(what + "FAILED: " + failures.getLast());
            return false;
        }
    }
}
