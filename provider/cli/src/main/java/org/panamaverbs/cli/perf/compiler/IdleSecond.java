package org.panamaverbs.cli.perf.compiler;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a second has gone by in which nearly nothing was compiled. Its input are samples of {@code nowNanos},
 * which only grows, and of how long the compilers have worked until then; its output is the answer to each.
 */
final class IdleSecond {
    private static final long SECOND = 1_000_000_000L;
    /** Of a processor: what remains when all that is hot is compiled. */
    private static final double NEARLY_NOTHING = 0.05;

    /** The latest sample that is a second old; null as long as none is. */
    private @Nullable Sample base;

    private final ArrayDeque<Sample> later = new ArrayDeque<>();

    private record Sample(long nowNanos, long busyNanos) {}

    /** Takes a sample; tells whether an idle second ends with it. */
    boolean ends(long nowNanos, long busyNanos) {
        later.addLast(new Sample(nowNanos, busyNanos));
        while (nowNanos - later.getFirst().nowNanos() >= SECOND) {
            base = later.removeFirst();
        }
        Sample from = base;
        return from != null && busyNanos - from.busyNanos() < NEARLY_NOTHING * (nowNanos - from.nowNanos());
    }
}
