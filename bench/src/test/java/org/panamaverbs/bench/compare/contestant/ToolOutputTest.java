package org.panamaverbs.bench.compare.contestant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.panamaverbs.bench.compare.contestant.Children.FailedException;
import org.panamaverbs.bench.machine.Machine;

/** What is read from what the programs print. */
class ToolOutputTest {

    @Test
    void readsUcxByItsHeadings() throws FailedException {
        String text = """
                iterations,50.0_percentile_lat,avg_lat,overall_lat,avg_bw,overall_bw,avg_mr,overall_mr
                 500,7.422,1401.912,5723.775,0.01,0.00,713,175
                """;
        assertThat(UcxPerftest.column(text, "percentile_lat")).isEqualTo(7.422);
        assertThat(UcxPerftest.column(text, "overall_mr")).isEqualTo(175);
        assertThatThrownBy(() -> UcxPerftest.column("connect() failed\n", "overall_mr"))
                .isInstanceOf(FailedException.class)
                .hasMessageContaining("connect() failed");
    }

    @Test
    void doublesTheTransferOfLibfabric() throws FailedException {
        String text = """
                bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec
                64      300     =300     37k         0.00s     10.00       4.25       0.23
                """;
        assertThat(Libfabric.roundTrip(text)).isEqualTo(8500);
        assertThatThrownBy(() -> Libfabric.roundTrip("no provider")).isInstanceOf(FailedException.class);
    }

    @Test
    void readsTheFloorsJson() throws FailedException {
        Reading reading = Bench.roundTrips("""
                warning: something
                {"median_ns": 6500, "rounds": 10, "percentiles_ns": {"0": 6000, "99.9": 90000}}
                INFO: queue pair 3 failed: the peer reset the connection
                """);
        assertThat(reading).isEqualTo(new Reading(6500, Map.of(0.0, 6000.0, 99.9, 90_000.0)));
        assertThat(Bench.rate("{\"sends_per_second\": 12}", "sends_per_second")).isEqualTo(12);
        assertThatThrownBy(() -> Bench.rate("", "x")).isInstanceOf(FailedException.class);
    }

    @Test
    void takesTheLastTwoProcessors() {
        assertThat(Machine.lastTwo("0-1")).containsExactly(0, 1);
        assertThat(Machine.lastTwo("0-3,8,10-11")).containsExactly(10, 11);
        assertThat(Machine.lastTwo("5")).containsExactly(5, 5);
    }
}
