package org.panamaverbs.testkit.random;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs for many seeds; it takes a {@link SeededRandom}. A failure prints its seed.
 *
 * <p>Without properties each run has the same seeds. {@code -Dsim.seed=N} runs seed N alone, {@code -Dsim.base=N} other
 * seeds, {@code -Dsim.base=random} new ones each run, {@code -Dsim.cases=N} more or fewer.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@TestTemplate
@ExtendWith(SeededExtension.class)
public @interface Seeded {
    /** How many seeds. */
    int cases() default 200;

    /** Seeds that always run first: those that once failed. */
    long[] fixed() default {};
}
