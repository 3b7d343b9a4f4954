package org.panamaverbs.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says which provider the conformance classes run on, on the test class or on the class it is nested in. The whole
 * suite:
 *
 * <pre>{@code
 * @RunsOn(MyProvider.class)
 * class MyConformanceTest extends ConformanceSuite {}
 * }</pre>
 *
 * A part of it:
 *
 * <pre>{@code
 * @RunsOn(MyProvider.class)
 * class MyConformanceTest {
 *     @Nested
 *     class SendReceive extends SendReceiveConformance {}
 * }
 * }</pre>
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RunsOn {
    /** The provider; a class with a constructor without arguments. */
    Class<? extends ProviderUnderTest> value();

    /**
     * Leaves out the cases that do not depend on what carries the bytes, {@link ApiCase}: for each transport of a
     * provider but one.
     */
    boolean carrierOnly() default false;
}
