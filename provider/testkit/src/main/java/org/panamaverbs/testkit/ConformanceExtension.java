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
 * Gives a {@link Conformance} test its provider, as {@link RunsOn} says, and counts what became of the test. What does
 * not apply is skipped, as far as {@link ConformanceFilter} has not left it out before.
 */
public final class ConformanceExtension implements ExecutionCondition, TestInstancePostProcessor, TestWatcher {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(ConformanceExtension.class);

    /** For the engine. */
    public ConformanceExtension() {}

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        RunsOn runsOn = runsOn(context);
        Applicability cases = Applicability.of(runsOn.value());
        Optional<String> whyNot;
        if (context.getTestMethod().isPresent()) {
            whyNot = cases.whyNot(
                    runsOn, context.getTags(), context.getTestMethod().get(), context.getRequiredTestClass());
        } else {
            whyNot = cases.provider().missing();
            summary(context).leftOut(cases.provider().title(), cases.leftOut());
            whyNot.ifPresent(reason -> summary(context).notRun(cases.provider().title(), reason));
        }
        return whyNot.map(ConditionEvaluationResult::disabled)
                .orElseGet(() -> ConditionEvaluationResult.enabled("it applies"));
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
        return Applicability.of(runsOn(context).value()).provider();
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
