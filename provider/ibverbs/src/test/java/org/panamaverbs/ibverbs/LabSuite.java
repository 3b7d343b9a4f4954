package org.panamaverbs.ibverbs;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Arrays;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes without Maven, for the lab. Prints each failure with its stack trace, the seconds that each class
 * took, how many tests were skipped for each reason, and a last line {@code N passed, N failed}; the conformance suite
 * adds its summary. A test that hangs in a system call ends the run with the stacks of all threads, after the seconds
 * that the property {@code lab.hung} gives.
 *
 * <p>Arguments: a regular expression to be found in {@code Class.method}, then the names of the classes.
 */
@SuppressWarnings("SystemOut") // the report is what it is for
final class LabSuite implements TestExecutionListener {
    private static final long HUNG_SECONDS = Long.getLong("lab.hung", 200);

    private final Map<String, Long> nanosByClass = new TreeMap<>();
    private final Map<String, Integer> skippedByReason = new TreeMap<>();
    private int passed;
    private int failed;
    private int skipped;
    private volatile @Nullable String running;
    private volatile long startedNanos;

    private LabSuite() {}

    /** Runs the tests; the exit status is 0 if some ran and none failed. */
    public static void main(String[] args) {
        Pattern wanted = Pattern.compile(args[0]);
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(args)
                        .skip(1)
                        .map(name -> selectClass(name))
                        .toList())
                .filters(EngineFilter.includeEngines("junit-jupiter"), (PostDiscoveryFilter)
                        descriptor -> wanted(descriptor, wanted))
                .build();
        LabSuite suite = new LabSuite();
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
        LauncherFactory.create().execute(request, suite);
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
        if (test.isTest()) {
            nanosByClass.merge(className(test), System.nanoTime() - startedNanos, Long::sum);
        }
        switch (result.getStatus()) {
            case SUCCESSFUL -> passed += test.isTest() ? 1 : 0;
            case ABORTED -> skipped(test, result);
            case FAILED -> {
                failed++;
                System.out.println("FAILED " + name(test));
                result.getThrowable().ifPresent(cause -> cause.printStackTrace(System.out));
            }
        }
    }

    private void skipped(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest()) {
            skipped++;
            String reason = result.getThrowable().map(Throwable::getMessage).orElse("no reason given");
            skippedByReason.merge(reason.replaceFirst("^Assumption failed: ", ""), 1, Integer::sum);
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        System.out.println("not run: " + name(test) + ": " + reason);
    }

    private void report() {
        StringBuilder seconds = new StringBuilder("seconds by class:");
        nanosByClass.forEach((name, nanos) -> seconds.append(" %s %.1f".formatted(name, nanos / 1e9)));
        System.out.println(seconds);
        System.out.printf("%d skipped%n", skipped);
        skippedByReason.forEach((reason, times) -> System.out.printf("  %d: %s%n", times, reason));
        if (passed + failed + skipped == 0) {
            System.out.println("FAILED no test was run");
            failed++;
        }
        System.out.printf("%d passed, %d failed%n", passed, failed);
        System.out.flush();
        // Threads that a failed test left behind must not keep the virtual machine.
        Runtime.getRuntime().halt(failed == 0 ? 0 : 1);
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
        failed++;
        report();
    }

    private static String name(TestIdentifier test) {
        return test.getSource().orElse(null) instanceof MethodSource method
                ? simpleName(method.getClassName()) + "." + method.getMethodName() + " " + test.getDisplayName()
                : test.getDisplayName();
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
