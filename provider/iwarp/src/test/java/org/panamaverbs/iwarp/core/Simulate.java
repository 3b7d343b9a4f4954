package org.panamaverbs.iwarp.core;

import java.util.Locale;

/** Runs simulations from the command line: {@code [--seeds FROM..TO] [--seed N] [--verbose] [--direct | --ends]}. */
final class Simulate {
    private static final long SEEDS = 100_000;
    private static final int LINES = 10;

    private long from;
    private long to = SEEDS;
    private boolean verbose;
    private boolean ends;
    private boolean direct;

    private Simulate() {}

    /** Ends with status 0 if every seed agrees with the model, 1 if one does not, 2 for wrong arguments. */
    public static void main(String... arguments) {
        Simulate simulate = new Simulate();
        try {
            simulate.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println("simulate: " + e.getMessage());
            System.err.println("usage: simulate [--seeds FROM..TO] [--seed N] [--verbose] [--direct | --ends]");
            System.exit(2);
        }
        boolean agrees = simulate.ends ? new SimulateEnds().run(simulate.from, simulate.to) : simulate.run();
        System.exit(agrees ? 0 : 1);
    }

    private void parse(String... arguments) {
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--verbose" -> verbose = true;
                case "--ends" -> ends = true;
                case "--direct" -> direct = true;
                case "--seed" -> {
                    from = number(arguments, ++i);
                    to = from + 1;
                }
                case "--seeds" -> {
                    String[] ends = value(arguments, ++i).split("\\.\\.", -1);
                    from = ends.length == 2 ? Long.parseLong(ends[0]) : 0;
                    to = Long.parseLong(ends[ends.length - 1]);
                }
                default -> throw new IllegalArgumentException("unknown argument " + arguments[i]);
            }
        }
    }

    private static String value(String[] arguments, int index) {
        if (index == arguments.length) {
            throw new IllegalArgumentException(arguments[index - 1] + " needs a value");
        }
        return arguments[index];
    }

    private static long number(String[] arguments, int index) {
        return Long.parseLong(value(arguments, index));
    }

    private boolean run() {
        long begin = System.nanoTime();
        SimCount count = new SimCount();
        for (long seed = from; seed < to; seed++) {
            SimStory story = verbose ? SimStory.told() : SimStory.silent();
            try (Simulation simulation = new Simulation(seed, story, direct)) {
                simulation.play();
                simulation.addTo(count);
            } catch (AssertionError | RuntimeException e) {
                report(seed, e, begin);
                return false;
            }
            if (verbose) {
                System.out.println(story.text());
            }
            long done = seed + 1 - from;
            if (LINES * done / (to - from) > LINES * (done - 1) / (to - from)) {
                System.out.println(counted(done, begin));
            }
        }
        System.out.print(count.text());
        System.out.println("all agree with the model");
        return true;
    }

    private void report(long seed, Throwable failure, long begin) {
        System.out.println(story(seed, direct));
        System.out.println("seed " + seed + " differs from the model: " + failure.getMessage());
        if (!(failure instanceof AssertionError)) {
            failure.printStackTrace(System.out);
        }
        System.out.println("replay it: " + replay(seed, direct));
        System.out.println(counted(seed + 1 - from, begin));
    }

    private static String counted(long done, long begin) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        return String.format(Locale.ROOT, "%,d seeds in %.1f s, %.0f a second", done, seconds, done / seconds);
    }

    /** Returns what happens with {@code seed}, to its end or failure. */
    static String story(long seed, boolean direct) {
        SimStory story = SimStory.told();
        try (Simulation simulation = new Simulation(seed, story, direct)) {
            simulation.play();
        } catch (AssertionError | RuntimeException e) {
            story.tell("here it differs: %s", e);
        }
        return story.text();
    }

    /** Returns the command that plays {@code seed} again. */
    static String replay(long seed, boolean direct) {
        return "provider/iwarp/simulate --seed " + seed + " --verbose" + (direct ? " --direct" : "");
    }
}
