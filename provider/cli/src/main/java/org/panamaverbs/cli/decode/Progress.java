package org.panamaverbs.cli.decode;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.cli.command.StandardOutput;

/** Says on the standard error how far a long run is, if that is a terminal and the standard output is another place. */
final class Progress {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MIB = 1 << 20;
    private static final int WIDTH = 60;

    private final PrintWriter err;
    private final long sizeBytes;
    private final boolean wanted;
    private long lastNanos = System.nanoTime();
    private boolean shown;

    /**
     * Begins.
     *
     * @param sizeBytes of the file, 0 if nobody knows
     */
    Progress(PrintWriter err, long sizeBytes) {
        this.err = err;
        this.sizeBytes = sizeBytes;
        wanted = StandardOutput.isTerminal(2) && !StandardOutput.isTerminal(1);
    }

    void at(long packets, long bytes) {
        if (!wanted || System.nanoTime() - lastNanos < PERIOD_NANOS) {
            return;
        }
        lastNanos = System.nanoTime();
        shown = true;
        String of = sizeBytes == 0 ? "" : String.format(Locale.ROOT, " of %,d", sizeBytes / MIB);
        String text = String.format(Locale.ROOT, "%,d packets, %,d%s MiB", packets, bytes / MIB, of);
        err.print("\r" + text + " ".repeat(Math.max(0, WIDTH - text.length())));
        err.flush();
    }

    /** Nothing more is to be done. */
    void end() {
        if (shown) {
            err.print("\r" + " ".repeat(WIDTH) + "\r");
            err.flush();
        }
    }
}
