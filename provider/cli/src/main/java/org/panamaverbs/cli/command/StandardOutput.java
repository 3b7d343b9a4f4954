package org.panamaverbs.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the standard output of this process leads, as far as the system tells. */
public final class StandardOutput {
    private static final Path LINKS = Path.of("/proc/self/fd");

    private StandardOutput() {}

    /** Returns whether another program reads it, by a pipe or a socket; false where that cannot be told. */
    public static boolean isPipe() {
        String target = target(1);
        return target.startsWith("pipe:") || target.startsWith("socket:");
    }

    /** Returns whether {@code descriptor}, 1 for the standard output and 2 for the error, is a terminal. */
    public static boolean isTerminal(int descriptor) {
        String target = target(descriptor);
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
    }

    private static String target(int descriptor) {
        try {
            return Files.readSymbolicLink(LINKS.resolve("" + descriptor)).toString();
        } catch (IOException | UnsupportedOperationException e) {
            return ""; // no such thing on this system, so it cannot be told
        }
    }
}
