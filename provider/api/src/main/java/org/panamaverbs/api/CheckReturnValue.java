package org.panamaverbs.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks results that the caller must not ignore, such as a {@link PostStatus}: a refused post would be lost. On a type,
 * it applies to every method that the type declares. Error Prone and other checkers recognize annotations of this
 * simple name in any package. No effect at run time.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface CheckReturnValue {}
