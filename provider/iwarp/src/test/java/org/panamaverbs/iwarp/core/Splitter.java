package org.panamaverbs.iwarp.core;

import java.util.random.RandomGenerator;

/** How many octets a socket takes or gives at once. */
@FunctionalInterface
interface Splitter {
    /** Everything at once. */
    Splitter WHOLE = done -> Long.MAX_VALUE;
    /** One octet at a time. */
    Splitter ONE = done -> 1;

    /** How many octets may follow when {@code done} have gone through already; at least 1. */
    long next(long done);

    /** A cut at one offset of the stream. */
    static Splitter at(long offset) {
        return done -> done < offset ? offset - done : Long.MAX_VALUE;
    }

    /** Random sizes up to {@code most}, small ones more often. */
    static Splitter random(RandomGenerator random, int most) {
        return done -> 1 + random.nextInt(1 + random.nextInt(most));
    }
}
