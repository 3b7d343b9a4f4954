package org.panamaverbs.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks answers that nobody may overlook, such as a {@link PostStatus}: a post that was refused is lost otherwise. On a
 * type it holds for each method that the type declares. Error Prone and other checkers know annotations of this name,
 * whatever their package; without one it does nothing, and nothing of it is there at run time.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface CheckReturnValue {}
