package org.panamaverbs.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Arrays;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.Filter;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes without Maven: in the lab, and for a report of {@code verbs doctor}. Prints each failure with its
 * stack trace, what became of the tests of each class, how many tests were skipped for each reason, and a last line
 * {@code N passed, N failed}; the conformance suite adds its summary. A test that hangs in a system call ends the run
 * with the stacks of all threads, after the seconds that the property {@code suite.hung} gives. With the property
 * {@code suite.cases} of {@code carrier} the conformance cases that do not depend on what carries the bytes are left
 * out.
 *
 * <p>What a device lacks is skipped here and not left out, as everywhere else: the results name each skip.
 *
 * <p>Arguments: a regular expression to be found in {@code Class.method}, then the names of the classes.
 */
@SuppressWarnings({"SystemOut", "exports"}) // the report is what it is for; only its launcher calls it
public final class SuiteRun implements TestExecutionListener {
    private static final long HUNG_SECONDS = Long.getLong("suite.hung", 200);

    private final Map<String, Outcome> outcomes = new TreeMap<>();
    private final Map<String, Integer> skippedByReason = new TreeMap<>();
    private volatile @Nullable String running;
    private volatile long startedNanos;

    /** What became of the tests of a class. */
    private static final class Outcome {
        int passed;
        int failed;
        int skipped;
        long nanos;

        void add(Outcome other) {
            passed += other.passed;
            failed += other.failed;
            skipped += other.skipped;
            nanos += other.nanos;
        }

        String text() {
            return "%d passed, %d failed, %d skipped, %.1f s".formatted(passed, failed, skipped, nanos / 1e9);
        }
    }

    private SuiteRun() {}

    /**
     * Runs the tests and ends the process; the exit status is 0 if some ran and none failed.
     *
     * @param args a regular expression, and the names of classes
     */
    public static void main(String[] args) {
        Pattern wanted = Pattern.compile(args[0]);
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(args)
                        .skip(1)
                        .map(name -> selectClass(name))
                        .toList())
                .filters(EngineFilter.includeEngines("junit-jupiter"), (PostDiscoveryFilter)
                        descriptor -> wanted(descriptor, wanted))
                .filters(
                        "carrier".equals(System.getProperty("suite.cases"))
                                ? new Filter<?>[] {TagFilter.excludeTags(ApiCase.TAG)}
                                : new Filter<?>[0])
                .build();
        SuiteRun suite = new SuiteRun();
        new Timer("watchdog", true)
                .schedule(
                        new TimerTask() {
                            @Override
                            public void run() {
                                suite.endIfHung();
                            }
                        },
                        5_000,
                        5_000);
        LauncherConfig config = LauncherConfig.builder()
                .enablePostDiscoveryFilterAutoRegistration(false)
                .build();
        LauncherFactory.create(config).execute(request, suite);
        suite.report();
    }

    private static FilterResult wanted(TestDescriptor descriptor, Pattern wanted) {
        TestSource source = descriptor.getSource().orElse(null);
        return FilterResult.includedIf(!(source instanceof MethodSource method)
                || wanted.matcher(simpleName(method.getClassName()) + "." + method.getMethodName())
                        .find());
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            startedNanos = System.nanoTime();
            running = name(test);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        running = null;
        Outcome outcome = outcome(test);
        outcome.nanos += test.isTest() ? System.nanoTime() - startedNanos : 0;
        switch (result.getStatus()) {
            case SUCCESSFUL -> outcome.passed += test.isTest() ? 1 : 0;
            case ABORTED -> skipped(test, result);
            case FAILED -> {
                outcome.failed++;
                System.out.println("FAILED " + name(test));
                result.getThrowable().ifPresent(cause -> cause.printStackTrace(System.out));
            }
        }
    }

    private void skipped(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest()) {
            String reason = result.getThrowable().map(Throwable::getMessage).orElse("no reason given");
            skipped(test, reason.replaceFirst("^Assumption failed: ", ""));
        }
    }

    private void skipped(TestIdentifier test, String reason) {
        outcome(test).skipped++;
        skippedByReason.merge(reason, 1, Integer::sum);
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        if (test.getSource().orElse(null) instanceof MethodSource) {
            skipped(test, reason);
        } else {
            System.out.println("not run: " + name(test) + ": " + reason);
        }
    }

    private void report() {
        Outcome all = new Outcome();
        outcomes.forEach((name, outcome) -> {
            all.add(outcome);
            if (outcome.passed + outcome.failed + outcome.skipped > 0) {
                System.out.println(name + ": " + outcome.text());
            }
        });
        System.out.printf("%d skipped%n", all.skipped);
        skippedByReason.forEach((reason, times) -> System.out.printf("  %d: %s%n", times, reason));
        if (all.passed + all.failed + all.skipped == 0) {
            System.out.println("FAILED no test was run");
            all.failed++;
        }
        System.out.printf("%d passed, %d failed%n", all.passed, all.failed);
        System.out.flush();
        // Threads that a failed test left behind must not keep the virtual machine.
        Runtime.getRuntime().halt(all.failed == 0 ? 0 : 1);
    }

    private void endIfHung() {
        String name = running;
        if (name == null || System.nanoTime() - startedNanos < TimeUnit.SECONDS.toNanos(HUNG_SECONDS)) {
            return;
        }
        System.out.println("FAILED " + name + " hangs:");
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            System.out.println("  " + thread);
            Arrays.stream(stack).forEach(frame -> System.out.println("    at " + frame));
        });
        outcomes.computeIfAbsent(name, key -> new Outcome()).failed++;
        report();
    }

    private static String name(TestIdentifier test) {
        return test.getSource().orElse(null) instanceof MethodSource method
                ? simpleName(method.getClassName()) + "." + method.getMethodName() + " " + test.getDisplayName()
                : test.getDisplayName();
    }

    private Outcome outcome(TestIdentifier test) {
        return outcomes.computeIfAbsent(className(test), key -> new Outcome());
    }

    private static String className(TestIdentifier test) {
        return test.getSource().orElse(null) instanceof MethodSource method
                ? simpleName(method.getClassName())
                : test.getDisplayName();
    }

    private static String simpleName(String name) {
        return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }
}
