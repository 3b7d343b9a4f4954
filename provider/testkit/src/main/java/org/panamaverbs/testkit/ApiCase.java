package org.panamaverbs.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A case whose outcome does not depend on what carries the bytes: checks of arguments and capabilities, registration
 * without traffic, lifetimes of objects, posts that are refused before anything is sent, and classes of the API that
 * are written over its interfaces alone. Its tag is {@code api}. Every other case is a <em>carrier</em> case: its data,
 * its events or the end of its connection pass through the transport.
 *
 * <p>A provider with several transports runs the API cases once for each way that it makes progress, and leaves them
 * out elsewhere by {@link RunsOn#carrierOnly}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Tag(ApiCase.TAG)
public @interface ApiCase {
    /** The tag of JUnit that the annotation gives. */
    String TAG = "api";
}
