package org.panamaverbs.ibverbs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A release of Linux: what its software devices keep of the verbs is a matter of it. One that is between two that were
 * tried is held to what the older one keeps.
 */
record KernelRelease(int major, int minor) {
    private static final Pattern FORM = Pattern.compile("(\\d+)\\.(\\d+).*");

    /** Returns the release that this machine runs. */
    static KernelRelease current() {
        return of(System.getProperty("os.version"));
    }

    /** Returns the release of {@code text} as {@code uname -r} prints it, for example 6.12.107+deb13-arm64. */
    static KernelRelease of(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("no release of a kernel: " + text);
        }
        return new KernelRelease(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    boolean isAtLeast(int otherMajor, int otherMinor) {
        return major > otherMajor || (major == otherMajor && minor >= otherMinor);
    }
}
