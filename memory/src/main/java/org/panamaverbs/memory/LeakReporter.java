package org.panamaverbs.memory;

import java.lang.ref.Cleaner;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports resources that became unreachable without being closed, with the stack trace of their creation. It frees
 * nothing, since an adapter might still access the memory.
 *
 * <p>The system property {@value #PROPERTY}, read once, selects which resources are watched: {@code off} none,
 * {@code sampled} (the default) one in {@value #SAMPLE} at random, {@code paranoid} all. Reports go to the
 * {@link System.Logger} of this class as warnings, unless {@link #reportTo} redirects them.
 */
public final class LeakReporter {
    /** The system property that selects the level. */
    public static final String PROPERTY = "verbs.leaks";

    private static final int SAMPLE = 128;

    private static final Level LEVEL = Level.of(System.getProperty(PROPERTY));
    private static final AtomicLong REPORTED = new AtomicLong();
    private static final AtomicReference<Consumer<? super Leak>> SINK = new AtomicReference<>(LeakReporter::log);

    private LeakReporter() {}

    /** Which resources are watched. */
    public enum Level {
        /** None. */
        OFF,
        /** A random sample, cheap enough for production. */
        SAMPLED,
        /** All. */
        PARANOID;

        static Level of(@Nullable String property) {
            if (property != null) {
                for (Level level : values()) {
                    if (level.name().equals(property.strip().toUpperCase(Locale.ROOT))) {
                        return level;
                    }
                }
                System.getLogger(LeakReporter.class.getName())
                        .log(
                                System.Logger.Level.WARNING,
                                "-D" + PROPERTY + "=" + property + ": expected off, sampled or paranoid; using"
                                        + " sampled");
            }
            return SAMPLED;
        }
    }

    /**
     * A lost resource.
     *
     * @param resource its {@link ManagedResource#resourceName name}
     * @param createdAt a throwable with the stack trace of its creation
     */
    public record Leak(String resource, Throwable createdAt) {
        /** Returns the report in one sentence. */
        @Override
        public String toString() {
            return resource + " was lost without being closed";
        }
    }

    /** Returns the level in force in this process. */
    public static Level level() {
        return LEVEL;
    }

    /** Returns the number of leaks reported since the start of the process. */
    public static long reportedLeaks() {
        return REPORTED.get();
    }

    /**
     * Redirects further reports, and returns the previous sink.
     *
     * @param sink called on a thread of the reporter, one report at a time; its exceptions are dropped
     */
    public static Consumer<? super Leak> reportTo(Consumer<? super Leak> sink) {
        return SINK.getAndSet(sink);
    }

    static @Nullable Tracker track(Object resource, String name) {
        return track(LEVEL, resource, name);
    }

    static @Nullable Tracker track(Level level, Object resource, String name) {
        boolean watched = switch (level) {
            case OFF -> false;
            case SAMPLED -> ThreadLocalRandom.current().nextInt(SAMPLE) == 0;
            case PARANOID -> true;
        };
        return watched ? new Tracker(resource, name) : null;
    }

    private static void log(Leak leak) {
        System.getLogger(LeakReporter.class.getName())
                .log(System.Logger.Level.WARNING, leak.toString(), leak.createdAt());
    }

    /** The watch over one resource. */
    static final class Tracker {
        private final State state;
        private final Cleaner.Cleanable cleanable;

        private Tracker(Object resource, String name) {
            this.state = new State(new Leak(name, new Throwable(name + " was created here")));
            this.cleanable = Watch.CLEANER.register(resource, state);
        }

        /** Ends the watch: the resource is being closed. */
        void closed() {
            state.closed = true;
            cleanable.clean();
        }
    }

    /** Must not refer to the resource, or that would never become unreachable. */
    private static final class State implements Runnable {
        private final Leak leak;
        private volatile boolean closed;

        State(Leak leak) {
            this.leak = leak;
        }

        @Override
        public void run() {
            if (!closed) {
                REPORTED.incrementAndGet();
                SINK.get().accept(leak);
            }
        }
    }

    /** Starts the reporter's thread with the first watched resource. */
    private static final class Watch {
        static final Cleaner CLEANER = Cleaner.create();
    }
}
