package org.panamaverbs.cli.perf;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.cm.RetryTimes;
import org.panamaverbs.api.cm.outofband.OutOfBandConfig;
import org.panamaverbs.cli.command.Flags;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.PerfTest;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** perftest's options for queue pairs that are connected out of band, as its tools do it without {@code -R}. */
final class OutOfBandFlags extends Flags {
    private static final String WITH = "With --out-of-band: ";
    /** The largest MTU. */
    private static final int LARGEST_DATAGRAM = 4096;

    @Option(
            names = "--out-of-band",
            description = "Connect without connection manager, as perftest without -R: both sides need the same test,"
                    + " -s and -n, and each may be one of perftest's tools.")
    private boolean outOfBand;

    @Option(
            names = {"-x", "--gid-index"},
            paramLabel = "N",
            description = WITH + "index of this side's GID (default: RoCE v2, IPv4 first). Otherwise accepted like"
                    + " -R, -z, -F: the connection manager uses the GID of the address.")
    private int gidIndex = OutOfBandConfig.AUTO;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "N",
            description = WITH + "port of the device (default: the first active).")
    private int port;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "N",
            description = WITH + "path MTU, 256 to 4096 (default: the port's; the smaller of both sides applies).")
    private int mtu;

    @Option(
            names = {"-S", "--sl"},
            paramLabel = "N",
            description = WITH + "service level (default: 0).")
    private int serviceLevel;

    @Option(names = "--tclass", paramLabel = "N", description = WITH + "traffic class (default: 0).")
    private int trafficClass;

    @Option(names = "--flow_label", paramLabel = "N", description = WITH + "flow label (default: 0).")
    private int flowLabel;

    @Option(names = "--hop_limit", paramLabel = "N", description = WITH + "hop limit (default: 64).")
    private @Nullable Integer hopLimit;

    @Option(names = "--pkey_index", paramLabel = "N", description = WITH + "index of the partition key (default: 0).")
    private int pkeyIndex;

    @Option(
            names = {"-u", "--qp-timeout"},
            paramLabel = "N",
            description = WITH + "acknowledgement timeout, 4.096 us times 2 to this power (default: 14).")
    private int timeoutCode = RetryTimes.UNSET;

    @Option(
            names = "--retry_count",
            paramLabel = "N",
            description = WITH + "how often requests are retried, 0 to 7 (default: 7).")
    private @Nullable Integer retryCount;

    /** Tells whether queue pairs are connected out of band. */
    boolean given() {
        return outOfBand;
    }

    /**
     * Refuses what goes with {@code --out-of-band} where that is not given.
     *
     * @throws ParameterException naming the option
     */
    void check() {
        if (outOfBand) {
            return;
        }
        command().commandLine().getParseResult().matchedOptions().stream()
                .filter(option -> option.userObject() instanceof Field field
                        && field.getDeclaringClass() == OutOfBandFlags.class
                        && !field.getName().equals("gidIndex"))
                .map(CommandLine.Model.OptionSpec::shortestName)
                .findFirst()
                .flatMap(name -> ForeignOptions.complaint(List.of(name)))
                .ifPresent(complaint -> require(false, complaint + "; --out-of-band makes it one"));
    }

    /**
     * Refuses what perftest's conversation has no words for.
     *
     * @throws ParameterException saying what
     */
    void check(PerfOptions options, QueuePairType type) {
        PerfTest test = options.test();
        PerfTest.Operation operation = test.operation();
        require(options.sizes().size() == 1, "--out-of-band measures one size; remedy: leave out -a");
        require(options.span().seconds() == 0, "--out-of-band counts messages; remedy: use -n instead of -D");
        require(options.queues().pairs() == 1, "--out-of-band has one queue pair; remedy: leave out -q");
        require(options.queues().postList() == 1, "--out-of-band posts one request at a time; remedy: leave out -l");
        require(!options.mode().bidirectional(), "--out-of-band measures one direction; remedy: leave out -b");
        require(!options.mode().events(), "--out-of-band polls; remedy: leave out -e");
        require(options.typeOfService() == 0, "--out-of-band has no -T; remedy: use --tclass");
        require(
                operation != PerfTest.Operation.WRITE_IMM,
                "--out-of-band: perftest's tools have another form of Write with Immediate; remedy: use write_lat or"
                        + " write_bw");
        require(
                type == QueuePairType.RC || !operation.isAnswered(),
                "-c " + type + ": Reads and Atomics need a reliable connection; remedy: use -c RC");
        require(
                type != QueuePairType.UD || operation == PerfTest.Operation.SEND,
                "-c UD: datagrams are Sends; remedy: use send_lat or send_bw");
        require(
                type != QueuePairType.UD || options.largest() <= LARGEST_DATAGRAM,
                "-c UD: a datagram has up to " + LARGEST_DATAGRAM + " bytes, and no more than the MTU; remedy: lower"
                        + " -s");
    }

    /**
     * Returns how queue pairs are connected, with {@code outstanding} Reads and Atomics.
     *
     * @throws ParameterException if a number is beyond its range
     */
    OutOfBandConfig config(int outstanding) {
        try {
            OutOfBandConfig config = OutOfBandConfig.defaults()
                    .withDepths(outstanding, outstanding)
                    .withPort(port)
                    .withGidIndex(gidIndex)
                    .withPathMtu(mtu)
                    .withPkeyIndex(pkeyIndex)
                    .withRetryTimes(RetryTimes.ofCodes(timeoutCode, RetryTimes.UNSET));
            int retries = Objects.requireNonNullElse(retryCount, config.retryCount());
            return config.withRetries(retries, config.rnrRetryCount())
                    .withRoute(route -> route.withServiceLevel(serviceLevel)
                            .withTrafficClass(trafficClass)
                            .withFlowLabel(flowLabel)
                            .withHopLimit(Objects.requireNonNullElse(hopLimit, route.hopLimit())));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command().commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
