package org.panamaverbs.sockets.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.sockets.RdmaSelectorProvider;
import org.panamaverbs.sockets.contract.Difference.Side;
import org.panamaverbs.sockets.rules.RdmaUse;
import org.panamaverbs.sockets.rules.SocketRules;

/**
 * The contract of the channels and selectors of {@code java.nio}, as the JDK's own keep it: each case runs over both,
 * and what it records is compared. What stays different is in {@link Difference}, and in docs/guide/sockets.md.
 */
@Timeout(600)
class ContractTest {
    private static final Path GUIDE = Path.of("../../docs/guide/sockets.md");

    private static final String ALL = ".*";

    // Patterns of the cases and of the sides that run, to look at some; all without.

    private static final String ONLY = System.getProperty("contract.cases", ALL);
    private static final String SIDES = System.getProperty("contract.sides", ALL);

    private static final List<Case> CASES = Stream.of(
                    ChannelCases.all(),
                    ListenerCases.all(),
                    OptionCases.all(),
                    SelectorCases.all(),
                    StreamCases.all(),
                    ClosingCases.all(),
                    DataCases.all())
            .flatMap(List::stream)
            .filter(each -> each.name().matches(ONLY))
            .toList();

    private static final SelectorProvider JDK = SelectorProvider.provider();

    private static final int AT_ONCE = 8;
    private static final int RUNS_ALONE = 3;

    private static final Map<String, String> EXPECTED = new ConcurrentHashMap<>();

    private static @Nullable Verbs verbs;

    @BeforeAll
    static void open() throws InterruptedException {
        verbs = Verbs.open(OpenConfig.provider("iwarp"));
        EXPECTED.putAll(traces(CASES, JDK, JDK));
    }

    @AfterAll
    static void close() {
        Objects.requireNonNull(verbs).close();
    }

    /** Runs cases side by side, as most of them wait most of the time; returns what each has recorded, by its name. */
    private static Map<String, String> traces(List<Case> cases, SelectorProvider provider, SelectorProvider peers)
            throws InterruptedException {
        Map<String, String> traces = new ConcurrentHashMap<>();
        Queue<Case> left = new ConcurrentLinkedQueue<>(cases);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            threads.add(Thread.ofPlatform().name("cases-" + i).start(() -> {
                for (Case each = left.poll(); each != null; each = left.poll()) {
                    String trace = traceOf(each, provider, peers);
                    if (trace != null) {
                        traces.put(each.name(), trace);
                    }
                }
            }));
        }
        for (Thread each : threads) {
            each.join();
        }
        return traces;
    }

    /** Runs one case, and returns what it has recorded; null if it is none for such peers. */
    private static @Nullable String traceOf(Case some, SelectorProvider provider, SelectorProvider peers) {
        try (Trial trial = new Trial(provider, peers)) {
            Running running = trial.start(() -> {
                some.program().run(trial);
                return "ends";
            });
            String end;
            try {
                end = running.end();
            } catch (Exception e) {
                end = "does not end";
            }
            return trial.isSkipped() ? null : trial.trace() + end;
        }
    }

    static RdmaSelectorProvider provider(Verbs device, Side side) {
        return switch (side) {
            case REQUIRE -> new RdmaSelectorProvider(device, SocketRules.always(RdmaUse.REQUIRE));
            case AUTO, AUTO_TO_PLAIN -> {
                // No peer answers too late, or at all.
                System.setProperty(RdmaSelectorProvider.PATIENCE_PROPERTY, side == Side.AUTO ? "60000" : "5");
                try {
                    yield new RdmaSelectorProvider(device, SocketRules.always(RdmaUse.AUTO));
                } finally {
                    System.clearProperty(RdmaSelectorProvider.PATIENCE_PROPERTY);
                }
            }
            case OFF -> new RdmaSelectorProvider(device, SocketRules.always(RdmaUse.OFF));
            case OFF_BY_RULE -> new RdmaSelectorProvider(device, SocketRules.parse(List.of("* * * off"), "the test"));
        };
    }

    @ParameterizedTest
    @EnumSource(names = {"REQUIRE", "AUTO_TO_PLAIN", "OFF"})
    void differsOnlyWhereTheTableSays(Side side) throws InterruptedException {
        assertDiffersAsTheTableSays(side);
    }

    @Tag("proof")
    @ParameterizedTest
    @EnumSource(names = {"AUTO", "OFF_BY_RULE"})
    void differsOnlyWhereTheTableSaysIfRulesChoose(Side side) throws InterruptedException {
        assertDiffersAsTheTableSays(side);
    }

    private static void assertDiffersAsTheTableSays(Side side) throws InterruptedException {
        assumeTrue(side.name().matches(SIDES));
        Map<String, String> unknown = new TreeMap<>();
        Set<String> gone = new TreeSet<>();
        try (RdmaSelectorProvider ours = provider(Objects.requireNonNull(verbs), side)) {
            SelectorProvider peers = side == Side.AUTO_TO_PLAIN ? JDK : ours;
            Map<String, String> traces = traces(CASES, ours, peers);
            for (Case each : CASES) {
                String expected = Objects.requireNonNull(EXPECTED.get(each.name()));
                String trace = traces.get(each.name());
                if (trace == null) {
                    continue;
                }
                boolean known = Difference.isKnown(side, each.name());
                // What differs from run to run is no difference: it is run again, alone, over both.
                for (int left = RUNS_ALONE; left > 0 && expected.equals(trace) == known; left--) {
                    expected = Objects.requireNonNull(traceOf(each, JDK, JDK));
                    trace = traceOf(each, ours, peers);
                }
                if (known && expected.equals(trace)) {
                    gone.add(each.name());
                } else if (!known && trace != null && !expected.equals(trace)) {
                    unknown.put(each.name(), difference(expected, trace));
                }
            }
        }
        assertThat(unknown).as("differences that the table does not have").isEmpty();
        assertThat(gone).as("differences of the table that are gone").isEmpty();
    }

    /** Returns the lines that differ. */
    static String difference(String expected, String actual) {
        List<String> jdks = expected.lines().toList();
        List<String> ours = actual.lines().toList();
        StringBuilder lines = new StringBuilder("\n");
        for (int i = 0; i < Math.max(jdks.size(), ours.size()); i++) {
            String jdk = i < jdks.size() ? jdks.get(i) : "nothing";
            String our = i < ours.size() ? ours.get(i) : "nothing";
            if (!jdk.equals(our)) {
                lines.append("    the JDK's: ")
                        .append(jdk)
                        .append("  ours: ")
                        .append(our)
                        .append('\n');
            }
        }
        return lines.toString();
    }

    @Test
    void thereAreEnoughCasesAndFewDifferences() {
        assertThat(CASES).extracting(Case::name).doesNotHaveDuplicates();
        assertThat(CASES).hasSizeGreaterThanOrEqualTo(ONLY.equals(ALL) ? 300 : 0);
        for (Side each : Side.values()) {
            assertThat(Difference.cases(each))
                    .as("%s", each)
                    .hasSizeLessThanOrEqualTo(each == Side.OFF ? 3 : 12)
                    .doesNotHaveDuplicates();
        }
        if (ONLY.equals(ALL)) {
            assertThat(CASES)
                    .extracting(Case::name)
                    .containsAll(Stream.of(Side.values())
                            .flatMap(each -> Difference.cases(each).stream())
                            .toList());
        }
    }

    @Test
    void theGuideShowsTheTable() throws IOException {
        List<String> rows = new ArrayList<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(GUIDE)) {
            inTable = line.startsWith("| what differs ") || (inTable && line.startsWith("|"));
            if (inTable) {
                rows.add(line);
            }
        }
        assertThat(rows).hasSizeGreaterThan(1);
        assertThat(rows.subList(2, rows.size()))
                .containsExactlyElementsOf(
                        Difference.ALL.stream().map(Difference::row).toList());
    }
}
