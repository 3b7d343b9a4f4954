package org.panamaverbs.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.device.Capabilities.Feature;

/**
 * Names what both devices must have for a conformance case to make sense, on the method, on its class, or on both.
 * Where one lacks it, the case is not discovered, and the summary says how many cases were left out and why.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Needs {
    /** The features. */
    Feature[] value() default {};

    /** The types of queue pairs. */
    QueuePairType[] types() default {};
}
