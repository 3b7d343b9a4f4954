package org.panamaverbs.bench.loopback;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.bench.loopback.exchange.Exchange;

/** What all benchmarks of exchanges have: the exchange that the running one has opened. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public abstract class ExchangeBenchmark {
    private @Nullable Exchange exchange;

    /** Makes an exchange by the parameters of a benchmark, which are handed over so that nothing is captured. */
    @FunctionalInterface
    interface Opening<T> {
        Exchange open(T benchmark) throws IOException;
    }

    /** Does once what {@code opening} makes at the first call, which is one of the warm-up. */
    final <T extends ExchangeBenchmark> void run(T benchmark, Opening<T> opening) throws IOException {
        Exchange running = exchange;
        if (running == null) {
            running = opening.open(benchmark);
            exchange = running;
        }
        running.run();
    }

    @TearDown
    public void close() throws IOException {
        Exchange opened = exchange;
        exchange = null;
        if (opened != null) {
            opened.close();
        }
    }
}
