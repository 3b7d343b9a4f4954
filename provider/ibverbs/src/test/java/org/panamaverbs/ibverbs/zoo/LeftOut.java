package org.panamaverbs.ibverbs.zoo;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.WithoutManager;

/** Skips the cases that a device of the zoo cannot run, saying why. */
final class LeftOut implements ExecutionCondition, TestExecutionExceptionHandler {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return context.getTestMethod()
                .flatMap(method -> device(context).flatMap(zoo -> reason(zoo, method)))
                .map(ConditionEvaluationResult::disabled)
                .orElseGet(() -> ConditionEvaluationResult.enabled("it applies"));
    }

    private static Optional<String> reason(Zoo zoo, Method method) {
        Map<String, String> leftOut = zoo.leftOut();
        return Optional.ofNullable(leftOut.get(method.getDeclaringClass().getSimpleName()))
                .or(() -> Optional.ofNullable(leftOut.get(method.getName())));
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        Optional<Zoo> device = device(context);
        if (device.isPresent() && !device.get().isManaged()) {
            new WithoutManager().handleTestExecutionException(context, thrown);
        }
        throw thrown;
    }

    /** Returns the device that the innermost class with {@link RunsOn} names. */
    private static Optional<Zoo> device(ExtensionContext context) {
        Optional<ExtensionContext> at = Optional.of(context);
        while (at.isPresent()) {
            Optional<RunsOn> found = at.get().getTestClass().map(type -> type.getAnnotation(RunsOn.class));
            if (found.isPresent()) {
                return Optional.of(made(found.get().value()));
            }
            at = at.get().getParent();
        }
        return Optional.empty();
    }

    private static Zoo made(Class<?> type) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            return (Zoo) constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(type + " is none of the zoo", e);
        }
    }
}
