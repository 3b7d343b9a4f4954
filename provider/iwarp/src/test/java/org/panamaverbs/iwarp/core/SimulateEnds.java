package org.panamaverbs.iwarp.core;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Plays ends of connections and counts what became of them; {@link Simulate} runs it. */
final class SimulateEnds {
    private final Map<EndSimulation.Fate, Map<EndSimulation.Outcome, Integer>> counts =
            new EnumMap<>(EndSimulation.Fate.class);
    private final Map<EndSimulation.Outcome, Integer> slow = none();

    /** Plays the seeds from {@code from} to before {@code to}; false at the first that differs. */
    boolean run(long from, long to) {
        for (long seed = from; seed < to; seed++) {
            EndSimulation simulation = new EndSimulation(seed);
            try {
                for (EndSimulation.Outcome outcome : simulation.play()) {
                    Map<EndSimulation.Outcome, Integer> row =
                            simulation.isPatient() ? slow : counts.computeIfAbsent(simulation.fate(), key -> none());
                    row.merge(outcome, 1, Integer::sum);
                }
            } catch (AssertionError | RuntimeException e) {
                System.out.println("seed " + seed + " differs: " + e);
                System.out.println("replay it: " + replay(seed));
                return false;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%,d ends of connections, two sides each: %s%n",
                to - from,
                Arrays.toString(EndSimulation.Outcome.values()));
        System.out.println("  slow, no more    " + slow.values());
        counts.forEach((fate, row) -> System.out.printf(Locale.ROOT, "  %-16s %s%n", fate, row.values()));
        System.out.println("delivered or told, all of them");
        return true;
    }

    private static Map<EndSimulation.Outcome, Integer> none() {
        Map<EndSimulation.Outcome, Integer> none = new EnumMap<>(EndSimulation.Outcome.class);
        for (EndSimulation.Outcome outcome : EndSimulation.Outcome.values()) {
            none.put(outcome, 0);
        }
        return none;
    }

    /** Returns the command that plays {@code seed} again. */
    static String replay(long seed) {
        return "provider/iwarp/simulate --ends --seed " + seed;
    }
}
