package org.panamaverbs.iwarp.engine;

import java.util.function.BooleanSupplier;
import org.panamaverbs.iwarp.core.Staging;
import org.panamaverbs.iwarp.core.Stream;
import org.panamaverbs.iwarp.engine.device.Context;
import org.panamaverbs.iwarp.engine.device.IwarpOption;
import org.panamaverbs.iwarp.iovec.Pool;

/**
 * The streams of a context in motion: who makes progress with them, what they borrow for a pass, and who looks whether
 * their peers have stopped. Any thread.
 */
public final class Streams {
    private final Context context;
    private final Progress progress;
    private final StallWatchdog watchdog;
    private final Doorbells.Withheld withheld;
    private final Pool<Staging> stagings;

    /** Creates what there is once a context; the memory of the first pass is made at once. */
    public Streams(Context context) {
        this.context = context;
        stagings = stagings();
        progress = context.options().get(IwarpOption.SPIN)
                ? new SpinProgress(context.sockets(), context.loop())
                : new BackgroundProgress(context.loop());
        withheld = new Doorbells.Withheld(context.loop());
        watchdog = new StallWatchdog(context.loop(), context.options().get(IwarpOption.PROGRESS_TIMEOUT));
    }

    /** Returns what lends the memory of a pass; the first one is made at once. */
    public static Pool<Staging> stagings() {
        Pool<Staging> stagings = new Pool<>(Pool.forAMoment(), () -> new Staging(Staging.BYTES));
        stagings.prepare();
        return stagings;
    }

    public Context context() {
        return context;
    }

    public Progress progress() {
        return progress;
    }

    public StallWatchdog watchdog() {
        return watchdog;
    }

    /**
     * Makes the driver of {@code stream}; {@code queueFailed} tells whether one of its completion queues has failed.
     */
    public StreamDriver driver(Stream stream, BooleanSupplier queueFailed) {
        return new StreamDriver(context.loop(), stream, queueFailed, stagings, progress, withheld);
    }
}
