package org.panamaverbs.cli.doctor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.cli.command.PeerProcess;

/**
 * A file of a bundle that another process writes: what hangs in a driver there is left behind at the deadline.
 *
 * @param file the name in the bundle
 * @param about what it is
 * @param command what writes it to its standard output; empty if nothing can
 * @param good the exit statuses of a run that did what it was asked for
 * @param limit how long it may take
 * @param whyNot why there is no command, empty if there is one
 */
record BundlePart(String file, String about, List<String> command, Set<Integer> good, Duration limit, String whyNot) {
    /** More output than this is cut off: a suite that fails everywhere has some megabytes of stacks. */
    private static final int MOST_BYTES = 16 << 20;
    /** How long the end of a process may come before the end of what it wrote. */
    private static final int REST_SECONDS = 2;

    /** How a part ended. */
    enum State {
        OK,
        FAILED,
        TIMED_OUT,
        LEFT_OUT;

        String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * What came of a part.
     *
     * @param output what it wrote
     * @param said what it wrote to the standard error, or why it was left out
     */
    record Result(BundlePart part, State state, long millis, String output, String said) {}

    /** Returns a result of a part that was not run, {@code because}. */
    Result leftOut(String because) {
        return new Result(this, State.LEFT_OUT, 0, "", because);
    }

    /**
     * Runs the command. A process that does not end, even by force, is not waited for.
     *
     * @throws InterruptedException if this thread is interrupted, after the process was killed
     */
    Result run() throws InterruptedException {
        if (command.isEmpty()) {
            return leftOut(whyNot);
        }
        long began = System.nanoTime();
        Process process;
        try {
            process = new ProcessBuilder(command).start();
            process.getOutputStream().close();
        } catch (IOException e) {
            return new Result(this, State.FAILED, 0, "", "the process does not start: " + e.getMessage());
        }
        Thread killer = new Thread(() -> kill(process), "bundle-killer");
        try {
            Runtime.getRuntime().addShutdownHook(killer); // throws once this process is ending
            Output out = new Output(process.getInputStream());
            Output err = new Output(process.getErrorStream());
            boolean ended = process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (!ended) {
                kill(process);
            }
            State state = !ended ? State.TIMED_OUT : good.contains(process.exitValue()) ? State.OK : State.FAILED;
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            return new Result(
                    this,
                    state,
                    millis,
                    out.text(state == State.OK),
                    err.text(state != State.TIMED_OUT).strip());
        } finally {
            kill(process);
            PeerProcess.removeHook(killer);
        }
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** What a process writes, read by a thread of its own: a process that cannot be killed keeps its pipes open. */
    private static final class Output {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Thread reader;
        private boolean ended;

        Output(InputStream from) {
            reader = Thread.ofPlatform().name("bundle-reader").daemon().start(() -> read(from));
        }

        private void read(InputStream from) {
            byte[] block = new byte[8192];
            try (from) {
                for (int count = from.read(block); count >= 0; count = from.read(block)) {
                    synchronized (bytes) {
                        bytes.write(block, 0, Math.min(count, MOST_BYTES - bytes.size()));
                    }
                }
                synchronized (bytes) {
                    ended = bytes.size() < MOST_BYTES;
                }
            } catch (IOException e) {
                // The process was killed: what it wrote before is kept.
            }
        }

        /** Returns what was written; of what was cut off whole lines, since half an address is not recognized. */
        String text(boolean whole) throws InterruptedException {
            reader.join(TimeUnit.SECONDS.toMillis(REST_SECONDS));
            synchronized (bytes) {
                String text = bytes.toString(StandardCharsets.UTF_8);
                return whole && ended ? text : text.substring(0, text.lastIndexOf('\n') + 1);
            }
        }
    }
}
