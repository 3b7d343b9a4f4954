package org.panamaverbs.ibverbs.crash;

/**
 * One misuse.
 *
 * @param name its name, lower case with hyphens
 * @param body does it
 */
record CrashCase(String name, Body body) {
    /** What a case does. */
    interface Body {
        /**
         * Misuses what {@code stage} makes.
         *
         * @return what came of it, for people
         * @throws CaseFailure if something else than an exception or a completion came of it
         */
        String run(Stage stage) throws Exception;
    }
}
