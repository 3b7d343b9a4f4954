package org.panamaverbs.bench.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Where things are in a plot. */
class AxesTest {

    @Test
    void figuresAreBetweenRoundNumbers() {
        assertThat(Axes.figureMarks(6.5, 180).values()).containsExactly("5", "10", "20", "50", "100", "200");
        assertThat(Axes.figureMarks(6.5, 180)).containsKeys(Math.log10(5), 1.0, Math.log10(200));
        assertThat(Axes.figureMarks(5, 5).values()).containsExactly("5", "10");
    }

    @Test
    void manyDecadesAreMarkedByTheirTens() {
        assertThat(Axes.figureMarks(0.0015, 6).values().stream().filter(text -> !text.isEmpty()))
                .containsExactly("0.001", "0.01", "0.1", "1", "10");
    }

    @Test
    void everyNineTakesTheSameRoom() {
        assertThat(Axes.percentileMarks(99.99).values())
                .containsExactly("0 %", "50 %", "90 %", "99 %", "99.9 %", "99.99 %");
        assertThat(Axes.percentile(99)).isCloseTo(2, within(1e-9));
        assertThat(Axes.percentile(99.9)).isCloseTo(3, within(1e-9));
    }

    @Test
    void sizesAreNamedByPowersOfTwo() {
        assertThat(Axes.sizeMarks(8, 1 << 20).values())
                .containsExactly("8 B", "64 B", "512 B", "4 KiB", "32 KiB", "256 KiB", "1 MiB");
        assertThat(Axes.sizeMarks(16, 1 << 20).values())
                .as("the last two have room for their texts")
                .containsExactly("16 B", "128 B", "1 KiB", "8 KiB", "64 KiB", "1 MiB");
    }
}
