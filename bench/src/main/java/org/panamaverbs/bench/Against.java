package org.panamaverbs.bench;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A floor of a benchmark: one of the same class, with the same parameters, in the same run. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Repeatable(Against.All.class)
public @interface Against {
    /** The method that is the floor. */
    String value();

    /** The target: at most so many times the floor's time; without one, the ratio is told and not judged. */
    double atMost() default Double.POSITIVE_INFINITY;

    /** All floors of a benchmark. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface All {
        /** The floors. */
        Against[] value();
    }
}
