package org.panamaverbs.bench.compare.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** Where things are in a plot. */
class AxesTest {

    @Test
    void logarithmicAxisHoldsAllValuesBetweenRoundNumbers() {
        Axis axis = Axes.logarithmic("µs", DoubleStream.of(6.5, 31, 180));
        assertThat(axis.ticks()).extracting(Axis.Tick::text).containsExactly("5", "10", "20", "50", "100", "200");
        assertThat(axis.position(5)).isZero();
        assertThat(axis.position(200)).isEqualTo(1.0);
        assertThat(axis.position(Math.sqrt(1000))).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void everyNineTakesTheSameRoom() {
        Axis axis = Axes.percentiles(99.99);
        assertThat(axis.ticks())
                .extracting(Axis.Tick::text)
                .containsExactly("0 %", "50 %", "90 %", "99 %", "99.9 %", "99.99 %");
        assertThat(axis.position(99)).isCloseTo(0.5, within(1e-9));
        assertThat(axis.position(99.9)).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void sizesAreNamedByPowersOfTwo() {
        assertThat(Axes.sizes(8, 1 << 20).ticks())
                .extracting(Axis.Tick::text)
                .containsExactly("8 B", "64 B", "512 B", "4 KiB", "32 KiB", "256 KiB", "1 MiB");
    }

    @Test
    void plotDrawsEveryPointInside() {
        Axis axis = Axes.sizes(8, 64);
        String html = new LinePlot("title", axis, axis)
                .html(List.of(new Series(
                        "a <line>", 1, List.of(new Series.XY(8, 8), new Series.XY(64, 64), new Series.XY(1, 1000)))));
        assertThat(html)
                .contains("d=\"M64.0 348.0L726.0 14.0L64.0 14.0\"", "a &lt;line&gt;")
                .doesNotContain("NaN", "Infinity");
    }
}
