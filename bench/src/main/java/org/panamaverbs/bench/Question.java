package org.panamaverbs.bench;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The one question that a class of benchmarks answers: the heading of its figures. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Question {
    /** The question. */
    String value();

    /** Whether ours is part of the data path, which may not allocate. */
    boolean dataPath() default true;

    /** Whether what is measured moves {@code size} bytes in one direction, so that bytes a second mean something. */
    boolean bandwidth() default false;
}
