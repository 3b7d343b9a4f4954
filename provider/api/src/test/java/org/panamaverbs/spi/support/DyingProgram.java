package org.panamaverbs.spi.support;

/** Logs a line and ends at once: by an exception, by its last instruction or by {@link System#exit}. */
final class DyingProgram {
    private DyingProgram() {}

    public static void main(String[] arguments) {
        DeferredLog.log(DyingProgram.class, System.Logger.Level.WARNING, "its last words");
        switch (arguments[0]) {
            case "throw" -> throw new IllegalStateException("of a test");
            case "exit" -> System.exit(1);
            default -> {
                // Nothing more is done.
            }
        }
    }
}
