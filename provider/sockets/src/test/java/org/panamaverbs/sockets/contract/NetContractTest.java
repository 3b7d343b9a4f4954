package org.panamaverbs.sockets.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
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
import org.panamaverbs.sockets.contract.NetCases.NetCase;

/**
 * The contract of {@code java.net}'s sockets, as the JDK's own keep it: as {@link ContractTest} does it for channels.
 */
@Timeout(600)
class NetContractTest {
    private static final int AT_ONCE = 8;
    private static final int RUNS_ALONE = 3;

    private static final List<NetCase> CASES = NetCases.all().stream()
            .filter(each -> each.name().matches(System.getProperty("contract.cases", ".*")))
            .toList();

    /** What stays different, and where. */
    private static final Map<String, List<Side>> KNOWN =
            Map.of("write: urgent data", List.of(Side.REQUIRE, Side.AUTO)); // RDMA has none

    private static final Map<String, String> EXPECTED = new ConcurrentHashMap<>();

    private static @Nullable Verbs verbs;

    @BeforeAll
    static void open() throws InterruptedException {
        verbs = Verbs.open(OpenConfig.provider("iwarp"));
        EXPECTED.putAll(traces(CASES, null, null));
    }

    @AfterAll
    static void close() {
        Objects.requireNonNull(verbs).close();
    }

    private static Map<String, String> traces(
            List<NetCase> cases, @Nullable SelectorProvider provider, @Nullable SelectorProvider peers)
            throws InterruptedException {
        Map<String, String> traces = new ConcurrentHashMap<>();
        Queue<NetCase> left = new ConcurrentLinkedQueue<>(cases);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            threads.add(Thread.ofPlatform().name("cases-" + i).start(() -> {
                for (NetCase each = left.poll(); each != null; each = left.poll()) {
                    traces.put(each.name(), traceOf(each, provider, peers));
                }
            }));
        }
        for (Thread each : threads) {
            each.join();
        }
        return traces;
    }

    private static String traceOf(NetCase some, @Nullable SelectorProvider provider, @Nullable SelectorProvider peers) {
        try (NetTrial trial = new NetTrial(provider, peers)) {
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

    @ParameterizedTest
    @EnumSource(names = {"REQUIRE", "AUTO", "AUTO_TO_PLAIN", "OFF_BY_RULE"})
    void differsOnlyWhereItIsKnown(Side side) throws InterruptedException {
        assumeTrue(side.name().matches(System.getProperty("contract.sides", ".*")));
        Map<String, String> unknown = new TreeMap<>();
        List<String> gone = new ArrayList<>();
        try (RdmaSelectorProvider ours = ContractTest.provider(Objects.requireNonNull(verbs), side)) {
            SelectorProvider peers = side == Side.AUTO_TO_PLAIN ? null : ours;
            List<NetCase> cases = CASES.stream()
                    .filter(each -> peers != null || !each.ownServer())
                    .toList();
            Map<String, String> traces = traces(cases, ours, peers);
            for (NetCase each : cases) {
                String expected = Objects.requireNonNull(EXPECTED.get(each.name()));
                String trace = Objects.requireNonNull(traces.get(each.name()));
                boolean known = KNOWN.getOrDefault(each.name(), List.of()).contains(side);
                // What differs from run to run is no difference: it is run again, alone, over both.
                for (int left = RUNS_ALONE; left > 0 && expected.equals(trace) == known; left--) {
                    expected = traceOf(each, null, null);
                    trace = traceOf(each, ours, peers);
                }
                if (known && expected.equals(trace)) {
                    gone.add(each.name());
                } else if (!known && !expected.equals(trace)) {
                    unknown.put(each.name(), ContractTest.difference(expected, trace));
                }
            }
        }
        assertThat(unknown).as("differences that are not known").isEmpty();
        assertThat(gone).as("differences that are gone").isEmpty();
    }

    @Test
    void thereAreEnoughCases() {
        assertThat(NetCases.all())
                .hasSizeGreaterThanOrEqualTo(75)
                .extracting(NetCase::name)
                .doesNotHaveDuplicates()
                .containsAll(KNOWN.keySet());
    }
}
