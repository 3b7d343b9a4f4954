package org.panamaverbs.cli.perf;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.cli.command.Flags;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.PerfTest;
import org.panamaverbs.cli.perf.measure.WarmUp;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** perftest's options for what is measured. */
final class PerfFlags extends Flags {
    private static final int LATENCY_ITERATIONS = 1000;
    private static final int BANDWIDTH_ITERATIONS = 5000;
    private static final int DEFAULT_SIZE = 65_536;
    private static final int LATENCY_SIZE = 2;
    private static final int ATOMIC_SIZE = 8;
    private static final int MAX_DEPTH = 16_384;
    private static final int RECEIVES = 512;
    // One for the word that ends it, and one more so that there is always one.
    private static final int FEWEST_RECEIVES = 2;
    private static final int MODERATION = 100;
    private static final int TIMEOUT_SECONDS = 30;
    private static final int MOST_SPIN_MICROS = 1_000_000;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "N",
            converter = MessageSizes.class,
            description = "Bytes of a message, 1 to 2147483647, also as 64K or 8M (default: 65536 for bandwidth, 2 for"
                    + " latency, 8 for atomics); given to the server, too, if more than 8388608.")
    private @Nullable Integer size;

    @Option(
            names = {"-a", "--all"},
            description = "Every size from 2 to 2^23 bytes, or to that of -s.")
    private boolean all;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            description = "Messages per size and queue pair (default: 1000 for latency, 5000 for bandwidth).")
    private @Nullable Integer iterations;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "SECONDS",
            description = "Measure for this time instead of -n; one size.")
    private @Nullable Integer seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "LENGTH",
            defaultValue = WarmUp.DEFAULT,
            converter = WarmUpConverter.class,
            description = "Messages per size before those that are measured, fewer for long ones, or with -D seconds,"
                    + " as in 3s, or 'compiled': until the compilers of both sides have been idle for a second, at"
                    + " most 30 s (default: ${DEFAULT-VALUE}). Code that is not compiled yet would distort"
                    + " the results.")
    private WarmUp warmUp = WarmUp.parse(WarmUp.DEFAULT);

    @Option(
            names = {"-q", "--qp"},
            paramLabel = "N",
            description = "Connections of a bandwidth test (default: 1).")
    private @Nullable Integer queuePairs;

    @Option(
            names = {"-t", "--tx-depth"},
            paramLabel = "N",
            defaultValue = "128",
            description = "Work requests in flight per queue pair (default: ${DEFAULT-VALUE}).")
    private int txDepth;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "N",
            description = "Receives of a queue pair in tests of Send and Write with Immediate (default: 512).")
    private @Nullable Integer rxDepth;

    @Option(
            names = {"-l", "--post_list"},
            paramLabel = "N",
            description = "Work requests posted with one doorbell in a bandwidth test (default: 1).")
    private @Nullable Integer postList;

    @Option(
            names = {"-Q", "--cq-mod"},
            paramLabel = "N",
            description = "One completion for this number of work requests in a bandwidth test (default: 100).")
    private @Nullable Integer cqModeration;

    @Option(
            names = {"-I", "--inline_size"},
            paramLabel = "N",
            description = "Longest message sent inline (default: 220 for latency, 0 for bandwidth, "
                    + "never more than the device supports).")
    private @Nullable Integer inlineBytes;

    @Option(
            names = {"-o", "--outs"},
            paramLabel = "N",
            description = "Reads or Atomics in flight per connection (default: 16, or the device's limit).")
    private @Nullable Integer outstanding;

    @Option(
            names = {"-A", "--atomic_type"},
            paramLabel = "TYPE",
            description = "FETCH_AND_ADD (default) or CMP_AND_SWAP, for the tests of atomics.")
    private @Nullable AtomicType atomicType;

    @Option(
            names = {"-b", "--bidirectional"},
            description = "Both sides send in a bandwidth test; their sum is reported.")
    private boolean bidirectional;

    @Option(
            names = {"-e", "--events"},
            description = "Sleep until an event instead of polling; on the server, too.")
    private boolean events;

    @Option(
            names = "--spin",
            paramLabel = "MICROS",
            description = "With -e: poll for this time before each sleep, up to 1000000 (default: 0); give the server"
                    + " its own.")
    private @Nullable Integer spinMicros;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Seconds that each wait for the peer may take (default: 30). On a server it also limits the"
                    + " wait for a client, which is unlimited otherwise.")
    private @Nullable Integer timeoutSeconds;

    @Option(
            names = {"-T", "--tos"},
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "IP type of service of the connections, 0 to 255 (default: ${DEFAULT-VALUE}); on InfiniBand and"
                            + " kernel iWARP, only the client's counts.")
    private int typeOfService;

    @Option(
            names = {"-c", "--connection"},
            paramLabel = "TYPE",
            defaultValue = "RC",
            description =
                    "RC (default): a reliable connection; with --out-of-band also UC and, for Sends, UD, which may "
                            + "lose messages.")
    private String connectionType = "RC";

    private static final class WarmUpConverter implements CommandLine.ITypeConverter<WarmUp> {
        @Override
        public WarmUp convert(String text) {
            try {
                return WarmUp.parse(text);
            } catch (IllegalArgumentException e) {
                throw new CommandLine.TypeConversionException(e.getMessage());
            }
        }
    }

    /** perftest's names of the two atomics. */
    enum AtomicType {
        FETCH_AND_ADD,
        CMP_AND_SWAP
    }

    /**
     * Returns the type of the queue pairs.
     *
     * @throws ParameterException if it is none that is measured
     */
    QueuePairType type(boolean outOfBand) {
        boolean unreliable = connectionType.equals("UC") || connectionType.equals("UD");
        check(
                connectionType.equals("RC") || (unreliable && outOfBand),
                "-c " + connectionType + ": only RC is measured" + (outOfBand ? ", and UC and UD" : ""));
        return QueuePairType.valueOf(connectionType);
    }

    /**
     * Returns the options of {@code test} as the flags say them.
     *
     * @param outOfBand whether queue pairs are connected out of band
     * @throws ParameterException saying what is wrong with them
     */
    PerfOptions options(PerfTest test, boolean outOfBand) {
        int largest = size != null ? size : all ? MessageSizes.USUAL : defaultSize(test);
        checkSizesAndCounts(test, largest);
        checkWarmUp(outOfBand);
        checkDepths(test);
        int iterationsHere = test.isBandwidth() ? BANDWIDTH_ITERATIONS : LATENCY_ITERATIONS;
        return new PerfOptions(
                test,
                all ? MessageSizes.upTo(largest) : List.of(largest),
                new PerfOptions.Span(
                        seconds != null ? 0 : orElse(iterations, iterationsHere), orElse(seconds, 0), warmUp),
                queues(test),
                new PerfOptions.Mode(
                        atomicType == AtomicType.CMP_AND_SWAP,
                        bidirectional,
                        events,
                        Duration.of(orElse(spinMicros, 0), ChronoUnit.MICROS)),
                typeOfService,
                Duration.ofSeconds(orElse(timeoutSeconds, TIMEOUT_SECONDS)));
    }

    private PerfOptions.Queues queues(PerfTest test) {
        return new PerfOptions.Queues(
                orElse(queuePairs, 1),
                txDepth,
                test.operation().takesReceive() ? orElse(rxDepth, RECEIVES) : FEWEST_RECEIVES,
                orElse(postList, 1),
                orElse(cqModeration, MODERATION),
                orElse(inlineBytes, -1),
                orElse(outstanding, 0));
    }

    private void checkSizesAndCounts(PerfTest test, int largest) {
        boolean atomic = test.operation() == PerfTest.Operation.ATOMIC;
        check(largest >= 1, "-s: 1 to " + MessageSizes.MAX);
        check(!all || largest <= MessageSizes.USUAL, "-a ends at " + MessageSizes.USUAL + " bytes; remedy: use -s ");
        check(!atomic || (largest == ATOMIC_SIZE && !all), "an atomic has 8 bytes; remedy: leave out -s and -a");
        check(!all || largest >= 2, "-a begins at 2 bytes; remedy: use -s 2 or more");
        check(seconds == null || (seconds > 0 && iterations == null), "-D must be at least 1, and excludes -n");
        check(seconds == null || !all, "-D measures one size; remedy: leave out -a");
        check(iterations == null || iterations > 0, "-n: from 1");
        check(atomic || atomicType == null, "-A is for atomic_lat and atomic_bw");
        check(timeoutSeconds == null || timeoutSeconds > 0, "--timeout: from 1");
        check(
                spinMicros == null || (spinMicros >= 0 && spinMicros <= MOST_SPIN_MICROS),
                "--spin: 0 to " + MOST_SPIN_MICROS);
        check(typeOfService >= 0 && typeOfService <= 255, "-T must be 0 to 255");
        check(
                !events || test != PerfTest.WRITE_LAT,
                "-e: a Write raises no event at the peer, which must poll its memory; remedy: use write_imm_lat or"
                        + " send_lat, which raise one");
    }

    private void checkWarmUp(boolean outOfBand) {
        boolean compiled = warmUp instanceof WarmUp.Compiled;
        check(
                !(warmUp instanceof WarmUp.Seconds) || seconds != null,
                "--warm-up in seconds needs -D; with -n, --warm-up counts messages");
        check(
                !compiled || !outOfBand,
                "--out-of-band has no warm-up; remedy: leave out --warm-up compiled, and use -n 20000 or more");
        check(!compiled || seconds != null, "--warm-up compiled needs -D; with -n, --warm-up counts messages");
        check(
                !compiled || !bidirectional,
                "--warm-up compiled: with -b both sides must end it together; remedy: give seconds, as in 10s");
    }

    private void checkDepths(PerfTest test) {
        boolean bandwidth = test.isBandwidth();
        PerfTest.Operation operation = test.operation();
        check(bandwidth || queuePairs == null, "-q is for bandwidth tests: latency has one queue pair");
        check(bandwidth || postList == null, "-l is for bandwidth tests: latency has one message at a time");
        check(bandwidth || !bidirectional, "-b is for bandwidth tests: in latency tests, the sides take turns");
        check(bandwidth || cqModeration == null, "-Q is for bandwidth tests");
        check(operation.takesReceive() || rxDepth == null, "-r: " + test.id() + " consumes no receives of the peer");
        check(operation.isAnswered() || outstanding == null, "-o is for tests of Read and of atomics");
        check(!operation.isAnswered() || inlineBytes == null, "-I: a Read or an atomic sends no inline data");
        int connections = orElse(queuePairs, 1);
        check(connections >= 1 && connections <= PerfHello.MAX_QUEUE_PAIRS, "-q must be 1 to 16384");
        check(txDepth >= 1 && txDepth <= MAX_DEPTH, "-t: 1 to " + MAX_DEPTH);
        check(rxDepth == null || (rxDepth >= 2 && rxDepth <= MAX_DEPTH), "-r: 2 to " + MAX_DEPTH);
        check(postList == null || (postList >= 1 && postList <= txDepth), "-l must be 1 to that of -t, " + txDepth);
        check(cqModeration == null || cqModeration >= 1, "-Q: from 1");
        check(inlineBytes == null || inlineBytes >= 0, "-I: from 0");
        check(outstanding == null || outstanding >= 1, "-o: from 1");
    }

    /** Returns how long a server waits for a client. */
    Deadline patience() {
        return timeoutSeconds == null ? Deadline.never() : Deadline.in(Duration.ofSeconds(timeoutSeconds));
    }

    /**
     * Returns the options that matter to the server of a measurement; {@code accepted} tells whether its device can set
     * the type of service of what it accepts.
     */
    List<String> ofServer(boolean accepted) {
        List<String> arguments = new ArrayList<>(List.of(
                "-t",
                "" + txDepth,
                "-T",
                "" + (accepted ? typeOfService : 0),
                "--timeout",
                "" + orElse(timeoutSeconds, TIMEOUT_SECONDS)));
        if (size != null && size > MessageSizes.USUAL) {
            arguments.addAll(List.of("-s", "" + size));
        }
        addIfGiven(arguments, "-r", rxDepth);
        addIfGiven(arguments, "-o", outstanding);
        addIfGiven(arguments, "-I", inlineBytes);
        addIfGiven(arguments, "-l", postList);
        addIfGiven(arguments, "-Q", cqModeration);
        addIfGiven(arguments, "--spin", spinMicros);
        return arguments;
    }

    /** Returns what a server with these options would do otherwise than its client asks for; empty if it agrees. */
    Optional<String> disagreement(PerfHello hello) {
        return Stream.of(
                        tooLarge(hello.size()),
                        differs("-s", size, hello.size()),
                        differs("-n", iterations, hello.span().iterations()),
                        differs("-D", seconds, hello.span().seconds()),
                        differs("-q", queuePairs, hello.origin().queuePairs()),
                        differs(
                                "-A",
                                atomicType,
                                hello.mode().compareAndSwap() ? AtomicType.CMP_AND_SWAP : AtomicType.FETCH_AND_ADD),
                        differs("-a", all ? "given" : null, hello.allSizes() ? "given" : "not given"),
                        differs(
                                "-b",
                                bidirectional ? "given" : null,
                                hello.mode().bidirectional() ? "given" : "not given"))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> tooLarge(int asked) {
        return size != null || asked <= MessageSizes.USUAL
                ? Optional.empty()
                : Optional.of("the server has room for messages of " + MessageSizes.USUAL + " bytes, the client"
                        + " requests " + asked + "; remedy: give -s to the server, too");
    }

    private static Optional<String> differs(String name, @Nullable Object here, Object there) {
        return here == null || here.equals(there)
                ? Optional.empty()
                : Optional.of(name + " of the server is " + here + ", and of the client " + there);
    }

    private static void addIfGiven(List<String> arguments, String name, @Nullable Integer value) {
        if (value != null) {
            arguments.addAll(List.of(name, "" + value));
        }
    }

    private static int orElse(@Nullable Integer value, int otherwise) {
        return value == null ? otherwise : value;
    }

    private static int defaultSize(PerfTest test) {
        return test.operation() == PerfTest.Operation.ATOMIC
                ? ATOMIC_SIZE
                : test.isBandwidth() ? DEFAULT_SIZE : LATENCY_SIZE;
    }

    private void check(boolean valid, String otherwise) {
        require(valid, "Invalid options: " + otherwise);
    }
}
