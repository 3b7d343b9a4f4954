package org.panamaverbs.iwarp.shm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The domains of a context whose memory peers may reach, by their numbers; none if nobody may. Any thread. */
public final class DirectDomains {
    // It is a prctl and a file of /proc, and every set-up over shared memory asks.
    private static final long ASKED_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
    // Of all contexts: each is a descriptor of the process.
    private static final AtomicInteger SLABS = new AtomicInteger();

    private final Supplier<String> obstacles;
    // Null until it is asked for.
    private volatile @Nullable String obstacle;
    // When it was asked for.
    private volatile long askedNanos;
    private final Map<Integer, DirectDomain> all = new ConcurrentHashMap<>();

    /**
     * Creates an empty set of domains; {@code obstacles} says why there may be none, empty if there may, and is asked
     * again after a second, since an obstacle may come and go.
     */
    public DirectDomains(Supplier<String> obstacles) {
        this.obstacles = obstacles;
    }

    /** Returns why nobody may reach memory, empty if somebody may, as of the last second. */
    public String obstacle() {
        String known = obstacle;
        return known == null || System.nanoTime() - askedNanos > ASKED_EVERY_NANOS ? obstacleNow() : known;
    }

    /** Returns why nobody may reach memory now, empty if somebody may. */
    public String obstacleNow() {
        String asked = obstacles.get();
        askedNanos = System.nanoTime();
        obstacle = asked;
        return asked;
    }

    /** Begins what belongs to the domain {@code number}; null if nobody may reach its memory. */
    public @Nullable DirectDomain open(int number) {
        if (!obstacle().isEmpty()) {
            return null;
        }
        DirectDomain made = new DirectDomain(number, SLABS);
        all.put(made.number(), made);
        return made;
    }

    /** Returns what belongs to the domain {@code number}, null if nothing does. */
    public @Nullable DirectDomain find(int number) {
        return all.get(number);
    }

    /** Ends {@code domain}, which nothing uses any more; null for none. Needs no memory. */
    public void close(@Nullable DirectDomain domain) {
        if (domain != null) {
            all.remove(domain.number());
            domain.close();
        }
    }
}
