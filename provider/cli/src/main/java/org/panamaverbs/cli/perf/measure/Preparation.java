package org.panamaverbs.cli.perf.measure;

import java.time.Duration;
import java.util.function.Consumer;
import org.panamaverbs.cli.perf.compiler.Compilers;

/** Warms up, on the side that measures. Used by one thread. */
public final class Preparation {
    private final WarmUp warmUp;
    private final Lane lane;
    private final Tally tally;

    /** Creates what warms up as {@code warmUp} says; {@code lane} asks the server for its compilers. */
    public Preparation(WarmUp warmUp, Lane lane, Tally tally) {
        this.warmUp = warmUp;
        this.lane = lane;
        this.tally = tally;
    }

    /** Whose compilers had more to do. */
    public enum Busy {
        NOBODY,
        CLIENT,
        SERVER,
        BOTH;

        private static Busy of(boolean client, boolean server) {
            return client ? server ? BOTH : CLIENT : server ? SERVER : NOBODY;
        }
    }

    /**
     * How a warm-up went.
     *
     * @param took how long it took
     * @param stillBusy whose compilers had more to do when the limit was reached; nobody's if that was not asked
     */
    public record Outcome(Duration took, Busy stillBusy) {}

    /**
     * Warms up with messages of {@code size} bytes; {@code exchange} sends them for as long as it is told, again and
     * again.
     */
    public Outcome run(int size, Consumer<Pace> exchange) {
        long begun = System.nanoTime();
        Busy busy = Busy.NOBODY;
        if (warmUp instanceof WarmUp.Compiled) {
            Compilers compilers = Compilers.ofThisVirtualMachine();
            do {
                exchange.accept(warmUp.pace(size));
                busy = Busy.of(!compilers.idleForASecond(), !serverIsCompiled());
            } while (busy != Busy.NOBODY && System.nanoTime() - begun < WarmUp.Compiled.LIMIT.toNanos());
        } else {
            exchange.accept(warmUp.pace(size));
        }
        return new Outcome(Duration.ofNanos(System.nanoTime() - begun), busy);
    }

    private boolean serverIsCompiled() {
        lane.readWord(Control.COMPILED);
        while (lane.reading()) {
            tally.advance();
        }
        return lane.control.brought(Control.COMPILED) != 0;
    }
}
