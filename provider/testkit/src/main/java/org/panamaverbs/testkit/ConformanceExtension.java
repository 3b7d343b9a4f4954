package org.panamaverbs.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Gives a {@link Conformance} test its provider, as {@link RunsOn} says, and counts what became of the test. Classes
 * whose provider is missing here are not run, which the summary says.
 */
public final class ConformanceExtension implements ExecutionCondition, TestInstancePostProcessor, TestWatcher {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(ConformanceExtension.class);

    /** For the engine. */
    public ConformanceExtension() {}

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (context.getTestMethod().isPresent()) {
            return ConditionEvaluationResult.enabled("its class is run");
        }
        ProviderUnderTest provider = provider(context);
        Optional<String> missing = provider.missing();
        missing.ifPresent(reason -> summary(context).notRun(provider.title(), reason));
        return missing.map(ConditionEvaluationResult::disabled)
                .orElseGet(() -> ConditionEvaluationResult.enabled("its provider is here"));
    }

    @Override
    public void postProcessTestInstance(Object testInstance, ExtensionContext context) {
        if (testInstance instanceof Conformance test) {
            test.runOn(provider(context));
        }
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        summary(context).passed(seen(context));
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        summary(context).failed(seen(context));
    }

    @Override
    public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
        String message = cause == null ? null : cause.getMessage();
        summary(context).skipped(seen(context), reason(message));
    }

    @Override
    public void testDisabled(ExtensionContext context, Optional<String> reason) {
        summary(context).skipped(provider(context).title(), reason.orElse("disabled"));
    }

    private static String reason(@Nullable String message) {
        return message == null ? "no reason given" : message.replaceFirst("^Assumption failed: ", "");
    }

    private static String seen(ExtensionContext context) {
        String title = provider(context).title();
        if (context.getRequiredTestInstance() instanceof Conformance test) {
            test.devices().forEach(device -> summary(context).ranOn(title, device));
        }
        return title;
    }

    private static Summary summary(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(Summary.class, key -> new Summary(), Summary.class);
    }

    private static ProviderUnderTest provider(ExtensionContext context) {
        Class<? extends ProviderUnderTest> type = runsOn(context).value();
        return context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(type, key -> instantiate(type), ProviderUnderTest.class);
    }

    private static ProviderUnderTest instantiate(Class<? extends ProviderUnderTest> type) {
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("@RunsOn names " + type + ", which cannot be made", e);
        }
    }

    // The classes as they are run: what a class inherits its nested classes from does not know the provider.
    private static RunsOn runsOn(ExtensionContext context) {
        List<Class<?>> types = new ArrayList<>(context.getEnclosingTestClasses());
        types.add(context.getRequiredTestClass());
        for (Class<?> type : types.reversed()) {
            RunsOn found = type.getAnnotation(RunsOn.class);
            if (found != null) {
                return found;
            }
        }
        throw new IllegalStateException(types.getLast() + " and what encloses it lack @RunsOn");
    }
}
