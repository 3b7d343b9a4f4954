package org.panamaverbs.cli.perf.compiler;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the threads of the compilers have used of processors, as Linux tells it of each thread of a process. They come
 * and go: what one that ended has used since the last look is not seen. Used by one thread.
 */
final class CompilerThreads {
    // "C1 CompilerThre", "C2 CompilerThre", "JVMCI CompilerT": Linux keeps 15 characters of a name.
    private static final String NAME = "CompilerT";

    private final Path tasks;
    private Map<Path, Long> seen = Map.of();
    private long busyNanos;

    private CompilerThreads(Path tasks) {
        this.tasks = tasks;
    }

    /** Returns the compilers' threads of a process by its directory of threads; empty if that shows no time of any. */
    static Optional<CompilerThreads> below(Path tasks) {
        CompilerThreads threads = new CompilerThreads(tasks);
        // A kernel that does not count says 0, which nobody is who has started a program.
        return threads.busyNanos() > 0 ? Optional.of(threads) : Optional.empty();
    }

    /** Returns how long they have worked, in nanoseconds; it never falls. */
    long busyNanos() {
        Map<Path, Long> now = new HashMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
            for (Path task : all) {
                look(task, now);
            }
        } catch (IOException | DirectoryIteratorException e) {
            return busyNanos;
        }
        now.forEach((task, nanos) -> {
            long before = seen.getOrDefault(task, 0L);
            // Less than before has a new thread that has the number of one that ended.
            busyNanos += nanos >= before ? nanos - before : nanos;
        });
        seen = now;
        return busyNanos;
    }

    private static void look(Path task, Map<Path, Long> now) {
        try {
            if (Files.readString(task.resolve("comm")).contains(NAME)) {
                // Time on a processor, time waiting for one, both in ns, and how often.
                String stat = Files.readString(task.resolve("schedstat"));
                now.put(task, Long.parseLong(stat.substring(0, stat.indexOf(' '))));
            }
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            // It has just ended, or this kernel does not tell.
        }
    }
}
