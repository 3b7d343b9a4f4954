package org.panamaverbs.testkit;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Leaves out of a run the conformance cases that do not apply: those of a provider that is missing here, what
 * {@link Needs} names and a device lacks, and {@link ApiCase}s of a class that runs carrier cases alone. JUnit's
 * launcher finds it as a service. Without it the same cases are skipped, each with its reason.
 */
@SuppressWarnings("exports") // only the launcher calls it
public final class ConformanceFilter implements PostDiscoveryFilter {
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    /** For the launcher. */
    public ConformanceFilter() {}

    @Override
    public FilterResult apply(TestDescriptor descriptor) {
        TestDescriptor suite = suite(descriptor);
        if (suite == null) {
            return FilterResult.included("no conformance class");
        }
        RunsOn runsOn = type(suite).getAnnotation(RunsOn.class);
        Applicability cases = Applicability.of(runsOn.value());
        Optional<String> missing = cases.provider().missing();
        if (missing.isPresent()) {
            say(
                    "not run: %s, %d conformance cases: %s"
                            .formatted(type(suite).getSimpleName(), count(suite), missing.get()),
                    type(suite));
            return FilterResult.excluded(missing.get());
        }
        if (!(descriptor.getSource().orElse(null) instanceof MethodSource method)) {
            return FilterResult.included("a container");
        }
        Set<String> tags = descriptor.getTags().stream().map(TestTag::getName).collect(Collectors.toUnmodifiableSet());
        Optional<String> whyNot = cases.whyNot(runsOn, tags, method.getJavaMethod(), method.getJavaClass());
        whyNot.ifPresent(reason -> cases.leaveOut(descriptor.getUniqueId().toString(), reason));
        return whyNot.map(FilterResult::excluded).orElseGet(() -> FilterResult.included("applies"));
    }

    // The innermost class that has @RunsOn: what a class inherits its nested classes from does not know the provider.
    private static @Nullable TestDescriptor suite(TestDescriptor descriptor) {
        for (TestDescriptor each = descriptor;
                each != null;
                each = each.getParent().orElse(null)) {
            if (each.getSource().orElse(null) instanceof ClassSource source
                    && source.getJavaClass().isAnnotationPresent(RunsOn.class)) {
                return each;
            }
        }
        return null;
    }

    private static Class<?> type(TestDescriptor suite) {
        return ((ClassSource) suite.getSource().orElseThrow()).getJavaClass();
    }

    private static long count(TestDescriptor suite) {
        return suite.getDescendants().stream()
                .filter(each -> each.getSource().orElse(null) instanceof MethodSource)
                .count();
    }

    // The first time is before anything was removed.
    @SuppressWarnings("SystemOut") // the report is what it is for
    private static void say(String line, Class<?> suite) {
        if (SAID.add(suite.getName())) {
            System.out.println(line);
        }
    }
}
