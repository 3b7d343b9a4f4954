package org.panamaverbs.cli.perf;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.cli.command.BuildVersion;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.NamedAddress;
import org.panamaverbs.cli.command.PeerProcess;
import org.panamaverbs.cli.command.Subcommand;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.PerfTest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

/** {@code verbs perf}: perftest's measurements, with its options and columns. */
@Command(
        name = "perf",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        description = {
            "Measures latency and bandwidth, with the options and columns of perftest.",
            "Without HOST it is the server: it serves one client, and refuses clients that request another test. With"
                    + " --loopback it runs both sides, in two processes.",
            "Both sides run the same test; sizes and counts are the client's."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  verbs perf write_lat --loopback                 both sides here",
            "  verbs perf send_bw                              the server",
            "  verbs perf send_bw 10.0.0.1 -s 65536 -D 10      its client, for 10 s",
            "  verbs perf read_lat 10.0.0.1 -a --out_json      2 bytes to 8 MiB, also as JSON"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:measured, or served to the client's end",
            "1:a connection or a work request failed, or a wait took longer than --timeout",
            "2:the command line was wrong"
        })
public final class PerfCommand extends Subcommand {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String STANDARD_OUTPUT = "-";
    private static final List<String> STEADY = List.of("-XX:+UseSerialGC", "-XX:-UsePerfData");

    @Parameters(
            index = "0",
            paramLabel = "TEST",
            description =
                    "write_lat, write_bw, write_imm_lat (or write_imm), write_imm_bw, read_lat, read_bw, send_lat, "
                            + "send_bw, atomic_lat or atomic_bw; a prefix ib_ is accepted.")
    private String testName = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "HOST", description = "The server: a name or an address.")
    private @Nullable String host;

    @Mixin
    private final PerfFlags flags = new PerfFlags();

    @Mixin
    private final OutOfBandFlags outOfBand = new OutOfBandFlags();

    @Option(names = "--loopback", description = "Start the server here as well, in another process.")
    private boolean loopback;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "18515",
            description = "Port (default: ${DEFAULT-VALUE}); a server accepts 0 for any and prints the one it uses.")
    private int port;

    @Option(
            names = {"--bind", "--source_ip", "--bind_source_ip"},
            paramLabel = "ADDR",
            description = "Local address: where a server listens (default: any), where a client connects from.")
    private @Nullable String bind;

    @Mixin
    private final DeviceFlags deviceFlags = new DeviceFlags();

    @Option(names = "--json", description = "Write JSON to the standard output instead of the table.")
    private boolean jsonOut;

    @Option(names = "--out_json", description = "Save the results as JSON.")
    private boolean json;

    @Option(
            names = "--out_json_file",
            paramLabel = "FILE",
            description = "Save them there (default: perftest_out.json); - is the standard output, without the table.")
    private @Nullable String jsonFile;

    @Option(
            names = {"-w", "--limit_bw"},
            paramLabel = "N",
            description = "Fail if the average bandwidth is below this at every size, in the unit that is printed.")
    private @Nullable Double leastBandwidth;

    @Option(
            names = {"-y", "--limit_msgrate"},
            paramLabel = "N",
            description = "Fail if the message rate is below this at every size, in Mpps.")
    private @Nullable Double leastRate;

    @Option(names = "--report_gbits", description = "Bandwidth in Gbit/s, not MiB/s.")
    private boolean gbits;

    @Option(
            names = {"-N", "--noPeak"},
            description = "Leave out the peak bandwidth.")
    private boolean noPeak;

    @Option(
            names = {"-H", "--report-histogram"},
            description = "Print percentiles of each latency, too.")
    private boolean histogram;

    @Option(names = "--child", hidden = true)
    private boolean child;

    @Unmatched
    private List<String> unmatched = new ArrayList<>();

    private Consumer<InetSocketAddress> listening = address -> {};
    private Runnable serving = () -> {};

    /** Has {@code observer} run when the server has a client with all its connections. */
    void onServing(Runnable observer) {
        serving = observer;
    }

    /** Has a server call {@code observer} with its address as soon as clients can connect. */
    void onListening(Consumer<InetSocketAddress> observer) {
        listening = observer;
    }

    @Override
    public Integer call() {
        ForeignOptions.complaint(unmatched).ifPresent(complaint -> require(false, complaint));
        PerfTest test = PerfTest.named(testName)
                .orElseThrow(() ->
                        new ParameterException(line(), "Unknown test " + testName + ": one of " + PerfTest.names()));
        QueuePairType type = flags.type(outOfBand.given());
        PerfOptions options = flags.options(test, outOfBand.given());
        outOfBand.check();
        requirePort(port, isServer() ? 0 : 1);
        require(!histogram || !test.isBandwidth(), "-H is for latency tests");
        require(!noPeak || test.isBandwidth(), "-N is for bandwidth tests");
        require(!loopback || bind == null, "--bind: with --loopback HOST is the address of both sides");
        require(!hasLimits() || test.isBandwidth(), "-w and -y are for bandwidth tests");
        require(!hasLimits() || !isServer(), "-w and -y are for the client, which measures");
        require(isLimit(leastBandwidth) && isLimit(leastRate), "-w and -y must be at least 0");
        require(!jsonOut || !isServer(), "--json is for the client, which measures");
        require(!jsonOut || !wantsJsonFile(), "--json writes to the standard output; remedy: leave out --out_json");
        require(
                isServer() || options.mode().events() || options.mode().spin().isZero(),
                "--spin needs -e: without it, nothing sleeps");
        require(!isServer() || !wantsJsonFile(), "--out_json is for the client, which measures");
        if (outOfBand.given()) {
            require(!loopback, "--out-of-band has no --loopback; remedy: start both sides, as with perftest");
            outOfBand.check(options, type);
            outOfBand(options, type);
        } else if (loopback) {
            measureHere(options);
        } else if (isServer()) {
            serve(options);
        } else {
            try (Verbs verbs = deviceFlags.open()) {
                measure(verbs, options, NamedAddress.resolved(String.valueOf(host), port));
            }
        }
        return ExitStatus.OK;
    }

    private boolean wantsJsonFile() {
        return json || jsonFile != null;
    }

    private boolean hasLimits() {
        return leastBandwidth != null || leastRate != null;
    }

    private static boolean isLimit(@Nullable Double value) {
        return value == null || value >= 0;
    }

    private boolean isServer() {
        return host == null && !loopback;
    }

    private void outOfBand(PerfOptions options, QueuePairType type) {
        try (Verbs verbs = deviceFlags.open()) {
            int outstanding = options.outstanding(Math.min(
                    verbs.capabilities().maxResponderResources(),
                    verbs.capabilities().maxInitiatorDepth()));
            var out = out();
            OutOfBandSide side = new OutOfBandSide(verbs, options, type, outOfBand.config(outstanding), out);
            if (isServer()) {
                side.serve(localAddress(), flags.patience(), this::listening);
            } else {
                PerfReport report = report(options);
                side.ask(
                        NamedAddress.resolved(String.valueOf(host), port),
                        bind == null ? null : NamedAddress.resolved(bind, 0),
                        report);
                finish(report);
            }
        }
    }

    private InetSocketAddress localAddress() {
        return bind == null ? new InetSocketAddress(port) : NamedAddress.resolved(bind, port);
    }

    private void listening(InetSocketAddress address) {
        PeerProcess.sayPort(address, out());
        listening.accept(address);
    }

    private void serve(PerfOptions options) {
        if (child) {
            PeerProcess.endWithStandardInput();
        }
        try (Verbs verbs = deviceFlags.open();
                Listener listener = verbs.listen(localAddress())) {
            listening(listener.localAddress());
            PrintWriter err = line().getErr();
            new PerfServer(verbs, listener, options, flags::disagreement)
                    .onServing(serving)
                    .onRefusal(why -> {
                        err.println("verbs perf: " + why);
                        err.flush();
                    })
                    .serve(flags.patience());
        }
    }

    private void measure(Verbs verbs, PerfOptions options, InetSocketAddress address) {
        PerfReport report = report(options);
        InetSocketAddress from = bind == null ? null : NamedAddress.resolved(bind, 0);
        new PerfClient(options, report, from).run(verbs, address);
        report.end();
        finish(report);
    }

    private String target() {
        return jsonOut ? STANDARD_OUTPUT : jsonFile == null ? "perftest_out.json" : jsonFile;
    }

    private PerfReport report(PerfOptions options) {
        boolean quiet = target().equals(STANDARD_OUTPUT);
        return new PerfReport(
                options,
                new PerfReport.Style(gbits, !noPeak, histogram),
                quiet ? new PrintWriter(Writer.nullWriter()) : out(),
                line().getErr());
    }

    private void finish(PerfReport report) {
        if (target().equals(STANDARD_OUTPUT)) {
            out().println(report.json());
        } else if (wantsJsonFile()) {
            save(target(), report.json());
        }
        report.requireAtLeast(leastBandwidth, leastRate);
    }

    private void measureHere(PerfOptions options) {
        try (Verbs verbs = deviceFlags.open()) {
            measureHere(verbs, host == null ? loopbackOf(verbs) : host, options);
        }
    }

    private void measureHere(Verbs verbs, String address, PerfOptions options) {
        List<String> arguments = new ArrayList<>(List.of("perf", testName, "--child", "-p", "0", "--bind", address));
        arguments.addAll(deviceFlags.arguments());
        arguments.addAll(flags.ofServer(DeviceLimits.acceptsTypeOfService(verbs.provider(), verbs.device())));
        try (PeerProcess process = PeerProcess.start(STEADY, arguments)) {
            int itsPort = process.port(Deadline.in(options.timeout()));
            measure(verbs, options, NamedAddress.resolved(address, itsPort));
            if (!process.exitedIn(Deadline.in(options.timeout())) || process.exitStatus() != ExitStatus.OK) {
                throw new CommandFailure("the server "
                        + (process.exitedIn(Deadline.in(0, TimeUnit.SECONDS)) ? process.fate() : "did not end"));
            }
        }
    }

    /** Returns where the device reaches itself: an adapter at an address of its own. */
    private static String loopbackOf(Verbs verbs) {
        if (verbs.provider().equals("iwarp")) {
            return LOOPBACK;
        }
        return verbs.device().ports().stream()
                .flatMap(each -> each.addresses().stream())
                .map(InetAddress::ofLiteral)
                .filter(address -> address instanceof Inet4Address)
                .findFirst()
                .map(InetAddress::getHostAddress)
                .orElse(LOOPBACK);
    }

    private static void save(String target, String text) {
        try {
            Files.writeString(Path.of(target), text + "\n");
        } catch (IOException e) {
            throw new CommandFailure("cannot write " + target + ": " + e.getMessage(), e);
        }
    }
}
