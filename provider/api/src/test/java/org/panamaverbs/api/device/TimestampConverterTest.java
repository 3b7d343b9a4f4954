package org.panamaverbs.api.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TimestampConverterTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MICRO = 1_000L;

    /** Two clocks of a simulated world, whose time goes on when it is told to, and a little with each reading. */
    private static final class World implements DeviceClock {
        private final long kilohertz;
        private final long mask;
        private double ppm;
        private double ticks;
        private long nanos = 5 * SECOND;
        private long readingNanos = 200;
        private boolean isBroken;

        World(long kilohertz, int bits) {
            this.kilohertz = kilohertz;
            this.mask = -1L >>> (64 - bits);
        }

        void pass(long time) {
            nanos += time;
            ticks += time * (kilohertz / 1e6) * (1 + ppm / 1e6);
        }

        long nanoTime() {
            return nanos;
        }

        @Override
        public ClockRate rate() {
            return new ClockRate(kilohertz);
        }

        @Override
        public long mask() {
            return mask;
        }

        @Override
        public long read() {
            if (isBroken) {
                throw new IllegalStateException("the device is closed");
            }
            pass(readingNanos / 2);
            long now = timestamp();
            pass(readingNanos - readingNanos / 2);
            return now;
        }

        long timestamp() {
            return (long) ticks & mask;
        }
    }

    private static TimestampConverter converter(World world) {
        return TimestampConverter.of(world, world::nanoTime);
    }

    /** How far the time of a stamp of now is from now. */
    private static long error(TimestampConverter converter, World world) {
        return converter.toNanos(world.timestamp()) - world.nanoTime();
    }

    @Test
    void beginsWithTheNominalRate() {
        World world = new World(156_250, 48);
        TimestampConverter converter = converter(world);
        world.pass(SECOND);
        assertThat(error(converter, world)).isCloseTo(0, within(2 * MICRO / 10));
        assertThat(converter.driftPartsPerMillion()).isZero();
    }

    @Test
    void followsADriftingClock() {
        World world = new World(156_250, 48);
        world.ppm = 40;
        TimestampConverter converter = converter(world);
        world.pass(SECOND);
        assertThat(error(converter, world))
                .as("before a second sample it is off by what the quartz is")
                .isCloseTo(40 * MICRO, within(MICRO));
        long worst = 0;
        for (int second = 0; second < 600; second++) {
            converter.sample();
            world.pass(SECOND);
            // The quartz grows warm: from 40 to 10 millionths in ten minutes.
            world.ppm = 40 - second / 20.0;
            if (second > 2) {
                worst = Math.max(worst, Math.abs(error(converter, world)));
            }
        }
        // What the rate of the last minutes is behind that of now: 3 to 5 millionths, and of each second's.
        assertThat(worst).isLessThan(8 * MICRO);
        assertThat(converter.driftPartsPerMillion()).isCloseTo(13, within(4.0));
        assertThat(converter.jumps()).isZero();
    }

    @Test
    void aSteadyDriftIsMeasuredAway() {
        World world = new World(1_000_000, 63);
        world.ppm = -75.5;
        TimestampConverter converter = converter(world);
        for (int second = 0; second < 100; second++) {
            world.pass(SECOND);
            assertThat(converter.sample()).isTrue();
        }
        world.pass(SECOND);
        assertThat(error(converter, world)).isCloseTo(0, within(100L));
        assertThat(converter.driftPartsPerMillion()).isCloseTo(-75.5, within(0.1));
    }

    @Test
    void theClocksEndIsNoJump() {
        World world = new World(1_000_000, 32); // ends each 4.3 s
        world.ppm = 20;
        TimestampConverter converter = converter(world);
        for (int second = 0; second < 60; second++) {
            world.pass(SECOND);
            assertThat(converter.sample()).isTrue();
            assertThat(error(converter, world)).isCloseTo(0, within(MICRO));
        }
        assertThat(converter.jumps()).isZero();
    }

    @Test
    void stampsFromBeforeTheSampleAndFromBeforeTheEndAreConverted() {
        World world = new World(1_000_000, 32);
        world.ticks = (1L << 32) - 1_000_000; // 1 ms before its end
        long stamp = world.timestamp();
        long then = world.nanoTime();
        world.pass(3_000_000);
        TimestampConverter converter = converter(world);
        assertThat(converter.toNanos(stamp)).isCloseTo(then, within(MICRO));
    }

    @Test
    void aJumpBeginsAnew() {
        World world = new World(156_250, 48);
        world.ppm = 40;
        TimestampConverter converter = converter(world);
        for (int second = 0; second < 10; second++) {
            world.pass(SECOND);
            assertThat(converter.sample()).isTrue();
        }
        world.ticks = 17; // a reset
        world.pass(SECOND);
        assertThat(converter.sample()).isFalse();
        assertThat(converter.jumps()).isEqualTo(1);
        assertThat(error(converter, world)).isCloseTo(0, within(MICRO));
        assertThat(converter.driftPartsPerMillion()).isZero();
        world.ticks += 156_250; // forward by a millisecond: more than quartz drifts in a second
        world.pass(SECOND);
        assertThat(converter.sample()).isFalse();
        assertThat(converter.jumps()).isEqualTo(2);
        for (int second = 0; second < 10; second++) {
            world.pass(SECOND);
            assertThat(converter.sample()).isTrue();
        }
        assertThat(error(converter, world)).isCloseTo(0, within(MICRO));
    }

    @Test
    void theQuickestReadingCounts() {
        World world = new World(1_000_000, 63);
        int[] readings = {0};
        DeviceClock sometimesSlow = new DeviceClock() {
            @Override
            public ClockRate rate() {
                return world.rate();
            }

            @Override
            public long mask() {
                return world.mask();
            }

            @Override
            public long read() {
                long ticks = world.read();
                if (readings[0]++ % 4 != 0) {
                    world.pass(100 * MICRO); // the thread was taken off its processor
                }
                return ticks;
            }
        };
        TimestampConverter converter = TimestampConverter.of(sometimesSlow, world::nanoTime);
        assertThat(converter.uncertaintyNanos()).isLessThan(200);
        assertThat(error(converter, world)).isCloseTo(0, within(200L));
    }

    @Test
    void aClockThatCannotBeReadLeavesTheConverterAsItWas() {
        World world = new World(156_250, 48);
        TimestampConverter converter = converter(world);
        world.isBroken = true;
        assertThatThrownBy(converter::sample).isInstanceOf(IllegalStateException.class);
        world.pass(SECOND);
        assertThat(error(converter, world)).isCloseTo(0, within(MICRO));
    }

    @Test
    void aSampleRightAfterAnotherDoesNoHarm() {
        World world = new World(1_000, 48); // a tick lasts longer than a reading
        world.readingNanos = 2;
        TimestampConverter converter = converter(world);
        for (int i = 0; i < 20; i++) {
            converter.sample();
        }
        assertThat(error(converter, world)).isCloseTo(0, within(2 * MICRO));
        assertThat(converter.driftPartsPerMillion()).isZero();
    }

    @Test
    void ratesAreConvertedWithoutOverflow() {
        ClockRate rate = new ClockRate(156_250);
        assertThat(rate.toNanos(0)).isZero();
        assertThat(rate.toNanos(156_250)).isEqualTo(1_000_000);
        assertThat(rate.toNanos(1)).isEqualTo(6);
        assertThat(rate.toNanos(156_250_000L * 86_400 * 365 * 200)).isEqualTo(SECOND * 86_400 * 365 * 200);
        assertThatThrownBy(() -> rate.toNanos(Long.MAX_VALUE)).isInstanceOf(ArithmeticException.class);
        assertThat(rate.nanosPerTick()).isEqualTo(6.4);
        assertThat(rate).hasToString("156250 kHz");
        assertThatThrownBy(() -> new ClockRate(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
