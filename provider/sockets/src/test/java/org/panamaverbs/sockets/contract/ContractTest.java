package org.panamaverbs.sockets.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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

    private static final Map<String, String> EXPECTED = new LinkedHashMap<>();

    private static @Nullable Verbs verbs;

    @BeforeAll
    static void open() {
        verbs = Verbs.open(OpenConfig.provider("iwarp"));
        for (Case each : CASES) {
            EXPECTED.put(each.name(), traceOf(each, JDK, JDK));
        }
    }

    @AfterAll
    static void close() {
        Objects.requireNonNull(verbs).close();
    }

    private static String traceOf(Case some, SelectorProvider provider, SelectorProvider peers) {
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
            return trial.trace() + end;
        }
    }

    private static RdmaSelectorProvider provider(Side side) {
        Verbs device = Objects.requireNonNull(verbs);
        return switch (side) {
            case REQUIRE -> new RdmaSelectorProvider(device, SocketRules.always(RdmaUse.REQUIRE));
            case AUTO, AUTO_TO_PLAIN -> {
                // No peer answers too late, or at all.
                System.setProperty(RdmaSelectorProvider.PATIENCE_PROPERTY, side == Side.AUTO ? "60000" : "1");
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
    @EnumSource(Side.class)
    void differsOnlyWhereTheTableSays(Side side) {
        assumeTrue(side.name().matches(SIDES));
        Map<String, String> differing = new TreeMap<>();
        try (RdmaSelectorProvider ours = provider(side)) {
            for (Case each : CASES) {
                String trace = traceOf(each, ours, side == Side.AUTO_TO_PLAIN ? JDK : ours);
                String expected = Objects.requireNonNull(EXPECTED.get(each.name()));
                if (!trace.equals(expected)) {
                    differing.put(each.name(), difference(expected, trace));
                }
            }
        }
        System.out.println(side + ": " + CASES.size() + " cases, " + differing.size() + " differ");
        Map<String, String> unknown = new TreeMap<>(differing);
        unknown.keySet().removeIf(name -> Difference.isAllowed(side, name));
        assertThat(unknown).isEmpty();
        for (Difference each : Difference.ALL) {
            if (each.sides().contains(side) && ONLY.equals(ALL)) {
                assertThat(differing.keySet())
                        .as("a difference that is gone: %s", each.what())
                        .anyMatch(name -> each.cases().matcher(name).matches());
            }
        }
    }

    /** Returns the lines that differ. */
    private static String difference(String expected, String actual) {
        String[] jdks = expected.split("\n");
        String[] ours = actual.split("\n");
        StringBuilder lines = new StringBuilder("\n");
        for (int i = 0; i < Math.max(jdks.length, ours.length); i++) {
            String jdk = i < jdks.length ? jdks[i] : "nothing";
            String our = i < ours.length ? ours[i] : "nothing";
            if (!jdk.equals(our)) {
                lines.append("    the JDK's: ").append(jdk).append("  ours: ").append(our).append('\n');
            }
        }
        return lines.toString();
    }

    @Test
    void thereAreEnoughCasesAndFewDifferences() {
        assertThat(CASES).extracting(Case::name).doesNotHaveDuplicates();
        assertThat(CASES).hasSizeGreaterThanOrEqualTo(ONLY.equals(ALL) ? 300 : 0);
        assertThat(differences(Side.REQUIRE)).hasSizeLessThanOrEqualTo(12);
        assertThat(differences(Side.AUTO)).hasSizeLessThanOrEqualTo(12);
        assertThat(differences(Side.OFF)).hasSizeLessThanOrEqualTo(3);
    }

    private static List<Difference> differences(Side side) {
        return Difference.ALL.stream()
                .filter(each -> each.sides().contains(side))
                .toList();
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
