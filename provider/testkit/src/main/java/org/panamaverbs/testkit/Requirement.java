package org.panamaverbs.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the rows of the conformance table that a test proves, for example {@code RDMAP-5.3-02}: the test would fail if
 * the row were violated.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Repeatable(Requirement.All.class)
public @interface Requirement {
    /** The ids of the rows. */
    String[] value();

    /** What the compiler makes of a repeated {@link Requirement}. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface All {
        /** The repetitions. */
        Requirement[] value();
    }
}
