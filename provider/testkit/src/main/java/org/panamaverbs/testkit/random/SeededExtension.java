package org.panamaverbs.testkit.random;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs a {@link Seeded} test once for each seed. */
public final class SeededExtension implements TestTemplateInvocationContextProvider {
    /** For the engine. */
    public SeededExtension() {}

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return context.getRequiredTestMethod().isAnnotationPresent(Seeded.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        Seeded seeded = context.getRequiredTestMethod().getAnnotation(Seeded.class);
        String test = context.getRequiredTestClass().getName()
                + "#"
                + context.getRequiredTestMethod().getName();
        return seeds(seeded, test).mapToObj(seed -> new Case(seed, test));
    }

    private static LongStream seeds(Seeded seeded, String test) {
        Long only = Long.getLong("sim.seed");
        if (only != null) {
            return LongStream.of(only);
        }
        String base = System.getProperty("sim.base", "0");
        long start = base.equals("random") ? new SplittableRandom().nextLong() : Long.decode(base);
        LongStream fresh = new SplittableRandom(start ^ test.hashCode())
                .longs(Integer.getInteger("sim.cases", seeded.cases()), 0, Long.MAX_VALUE);
        return LongStream.concat(LongStream.of(seeded.fixed()), fresh);
    }

    /** One seed of one test. */
    private record Case(long seed, String test)
            implements TestTemplateInvocationContext, ParameterResolver, TestExecutionExceptionHandler {
        @Override
        public String getDisplayName(int invocationIndex) {
            return "seed " + seed;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(this);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == SeededRandom.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return new SeededRandom(seed);
        }

        @Override
        public void handleTestExecutionException(ExtensionContext context, Throwable cause) throws Throwable {
            if (cause instanceof AssertionError || cause instanceof RuntimeException) {
                cause.addSuppressed(new SeedNote(
                        "failed with seed " + seed + "; replay with -Dsim.seed=" + seed + " (" + test + ")"));
            }
            throw cause;
        }
    }

    /** Carries the seed in the report of a failure. */
    private static final class SeedNote extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SeedNote(String message) {
            super(message, null, false, false);
        }
    }
}
