package org.panamaverbs.testkit.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiPredicate;

/** Has every allocation that a scenario passes fail in turn, and gathers what did not survive it. */
public final class FaultRun {
    private static final int WARM_UPS = 3;

    /**
     * One allocation that failed.
     *
     * @param place where
     * @param passes how often it went well before
     * @param failures how many allocations failed in a row
     */
    public record Fault(String place, int passes, int failures) {}

    /**
     * A fault that was not survived.
     *
     * @param fault what failed
     * @param outcome what was wrong afterwards
     */
    public record Finding(Fault fault, Throwable outcome) {
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(fault + ": " + outcome);
            for (Throwable other : outcome.getSuppressed()) {
                text.append("\n    also ").append(other);
            }
            if (outcome.getCause() != null) {
                text.append("\n    from ").append(outcome.getCause());
            }
            return text.toString();
        }
    }

    /**
     * What came of a run.
     *
     * @param places how many places were passed
     * @param tried how many faults were asked for
     * @param reached how many of them happened
     * @param unnoticed how many of those the scenario did not fail of
     * @param findings what was not survived
     */
    public record Outcome(int places, int tried, int reached, int unnoticed, List<Finding> findings) {
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder("faults: " + places + " places passed, " + tried + " faults tried, "
                    + reached + " happened, " + unnoticed + " of them without an exception, " + findings.size()
                    + " not survived");
            findings.forEach(finding -> text.append('\n').append(finding));
            return text.toString();
        }
    }

    private final Callable<? extends FaultScenario> scenarios;
    private FaultScenario scenario;

    /** Creates a run over what {@code scenarios} makes: another one after each finding. */
    public FaultRun(Callable<? extends FaultScenario> scenarios) throws Exception {
        this.scenarios = scenarios;
        scenario = scenarios.call();
    }

    /** Tries the places that {@code selection} accepts. */
    public Outcome run(FaultSelection selection) throws Exception {
        return run(selection::accepts, selection.failures());
    }

    /**
     * Tries the places whose index among those that are passed, and name, {@code selected} accepts: each the first time
     * that it is passed and, if there are more, in the middle of them.
     *
     * @param failures how many allocations fail in a row
     */
    public Outcome run(BiPredicate<Integer, String> selected, int failures) throws Exception {
        Outcome outcome;
        try {
            outcome = tryAll(selected, failures);
        } catch (Exception | Error e) {
            try {
                scenario.close(); // what it holds would count against whatever runs next
            } catch (RuntimeException | Error other) {
                e.addSuppressed(other);
            }
            throw e;
        }
        scenario.close();
        return outcome;
    }

    private Outcome tryAll(BiPredicate<Integer, String> selected, int failures) throws Exception {
        for (int i = 0; i < WARM_UPS; i++) {
            AllocationFaults.count();
            scenario.run();
            AllocationFaults.stopCounting();
            scenario.recover();
        }
        List<Integer> passed = new ArrayList<>();
        int all = AllocationFaults.places();
        for (int place = 0; place < all; place++) {
            if (AllocationFaults.hits(place) > 0) {
                passed.add(place);
            }
        }
        int tried = 0;
        int reached = 0;
        int unnoticed = 0;
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < passed.size(); i++) {
            if (!selected.test(i, AllocationFaults.name(passed.get(i)))) {
                continue;
            }
            int place = passed.get(i);
            int hits = AllocationFaults.hits(place);
            for (int passes = 0; passes < hits; passes += Math.max(1, hits / 2)) {
                tried++;
                Fault fault = new Fault(AllocationFaults.name(place), passes, failures);
                boolean noticed = run(place, passes, failures);
                if (AllocationFaults.disarm()) {
                    reached++;
                    unnoticed += noticed ? 0 : 1;
                }
                recover(fault, findings);
                if (passes > 0) {
                    break;
                }
            }
        }
        return new Outcome(passed.size(), tried, reached, unnoticed, findings);
    }

    private boolean run(int place, int passes, int failures) {
        AllocationFaults.arm(place, passes, failures);
        try {
            scenario.run();
            return false;
        } catch (Exception | Error e) {
            return true;
        }
    }

    private void recover(Fault fault, List<Finding> findings) throws Exception {
        try {
            scenario.recover();
        } catch (Exception | Error e) {
            findings.add(new Finding(fault, e));
            // It may be beyond repair: what it still holds is left behind.
            scenario = scenarios.call();
        }
    }
}
