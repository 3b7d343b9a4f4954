package org.panamaverbs.cli.top;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import jdk.management.jfr.RemoteRecordingStream;
import org.panamaverbs.cli.command.BuildVersion;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.StandardOutput;
import org.panamaverbs.cli.command.Subcommand;
import org.panamaverbs.cli.top.Samples.Snapshot;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code verbs top}: what the connections of a running process do. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        description = {
            "Show what the queue pairs of a running Java process do, second by second.",
            "",
            "Attaches to the process and streams the periodic events of its Flight Recorder: the process needs no"
                    + " preparation, and nothing stays enabled when this ends. Only the user of the process can do"
                    + " that."
        },
        footerHeading = "%nColumns:%n",
        footer = {
            "  QP, PEER         number and peer of the queue pair",
            "  BY               what carries it: tcp, tls, shm (shared memory), dev (the device)",
            "  STAT             its state (ERR: failed)",
            "  SEND/s, RECV/s   sends and receives completed per second",
            "  OUT/s, IN/s      bytes per second, each way",
            "  SQ, RQ           sends outstanding, receives left (srq: its receives are shared)",
            "  BATCH            sends per call of the transport, on average",
            "  WAY              how a message channel carries messages, in the second table",
            "  PUB/s, TAKEN/s   bytes published and taken per second",
            "  DOUBT, KEPT      bytes published and not reported released; taken and not released",
            "  FULL/s           calls per second that were back-pressured",
            "  -                the provider cannot know it; the guide's page watching says what each counts",
            "",
            "Examples:",
            "  verbs top 4711                  a live table, until Ctrl-C",
            "  verbs top --once 4711           one table",
            "  verbs top --json -n 10 4711     ten lines of JSON for programs"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it was shown as often as requested, or until the process ended",
            "1:the process is not there, or cannot be attached to, or sent nothing before --timeout",
            "2:the command line was wrong"
        })
public final class TopCommand extends Subcommand {
    private static final String CLEAR = "\033[H\033[2J";

    @Parameters(paramLabel = "PID", description = "The process.")
    private long pid;

    @Option(names = "--json", description = "Write JSON, a line each time.")
    private boolean json;

    @Option(names = "--once", description = "Show it once: the same as -n 1.")
    private boolean once;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            description = "Show it N times (default: until Ctrl-C).")
    private int count;

    @Option(
            names = {"-i", "--interval"},
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "Time between two samples, from 1 (default: ${DEFAULT-VALUE}).")
    private int intervalSeconds;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "How long to wait for the process's samples (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds;

    @Override
    public Integer call() throws InterruptedException {
        require(intervalSeconds >= 1, "--interval must be at least 1, got " + intervalSeconds);
        require(timeoutSeconds >= 1, "--timeout must be at least 1, got " + timeoutSeconds);
        require(count >= 0, "--count must be at least 1, got " + count);
        int times = once ? 1 : count;
        Duration period = Duration.ofSeconds(intervalSeconds);
        try (Target target = Target.attach(pid);
                RemoteRecordingStream stream = target.stream(period)) {
            Samples samples = new Samples(period);
            stream.onEvent(Samples.QUEUE_PAIRS, samples::add);
            stream.onEvent(Samples.DEVICES, samples::add);
            stream.onEvent(Samples.CHANNELS, samples::add);
            LinkedBlockingQueue<Snapshot> snapshots = new LinkedBlockingQueue<>();
            CountDownLatch ended = new CountDownLatch(1);
            stream.onFlush(() -> snapshots.add(samples.snapshot()));
            stream.onClose(ended::countDown);
            stream.startAsync();
            return show(snapshots, ended, times);
        }
    }

    private int show(LinkedBlockingQueue<Snapshot> snapshots, CountDownLatch ended, int times)
            throws InterruptedException {
        int shown = 0;
        Snapshot last = null;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
        while (times == 0 || shown < times) {
            Snapshot next = snapshots.poll(100, TimeUnit.MILLISECONDS);
            if (next != null && next.hasRates() && !next.equals(last)) {
                print(next);
                last = next;
                shown++;
                deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos((long) timeoutSeconds + intervalSeconds);
            } else if (ended.getCount() == 0 || ProcessHandle.of(pid).isEmpty()) {
                return ended(shown);
            } else if (System.nanoTime() - deadline > 0) {
                throw new CommandFailure("process " + pid + " sent no samples in " + timeoutSeconds
                        + " s (--timeout); remedy: check that it has a device of Panama Verbs open");
            }
        }
        return ExitStatus.OK;
    }

    private int ended(int shown) {
        if (shown == 0) {
            throw new CommandFailure("process " + pid + " has ended");
        }
        return ExitStatus.OK;
    }

    private void print(Snapshot snapshot) {
        PrintWriter out = out();
        if (json) {
            out.println(Json.of(pid, snapshot));
            out.flush();
            return;
        }
        if (!once && StandardOutput.isTerminal(1)) {
            out.print(CLEAR);
        }
        new Table(out).print(pid, snapshot);
    }
}
