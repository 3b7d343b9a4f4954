package org.panamaverbs.ibverbs.call;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much memory this process may lock, which registration counts against ({@code RLIMIT_MEMLOCK}). */
public final class MemlockLimit {
    private static final Pattern SOFT_LIMIT = Pattern.compile("(?m)^Max locked memory\\s+(\\d+)");

    private MemlockLimit() {}

    /** Returns the soft limit in bytes; empty if there is none or it cannot be told. */
    public static OptionalLong bytes() {
        try {
            return parse(Files.readString(Path.of("/proc/self/limits")));
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns the soft limit in a text like {@code /proc/self/limits}. */
    static OptionalLong parse(String limits) {
        Matcher line = SOFT_LIMIT.matcher(limits);
        return line.find() ? OptionalLong.of(Long.parseLong(line.group(1))) : OptionalLong.empty();
    }

    /** Returns the limit for people. */
    static String text() {
        OptionalLong bytes = bytes();
        return bytes.isEmpty() ? "unlimited" : (bytes.getAsLong() >>> 10) + " KiB";
    }
}
