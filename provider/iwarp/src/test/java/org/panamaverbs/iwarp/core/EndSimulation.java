package org.panamaverbs.iwarp.core;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * One run of the end of a connection: both sides have posted Sends and Reads over a link with a rate and a delay of its
 * own each way, and one or both disconnect, each with a deadline; the link may stall or break, and an application may
 * abort. What a side has posted has to arrive, or that side has to be told. Everything follows from the seed.
 */
final class EndSimulation {
    private static final long LINGER = Side.LINGER_NANOS;
    private static final long STALL = 1_000 * LINGER;
    private static final int MOST = 12;
    private static final int BYTES = 4096;
    private static final int MOST_EVENTS = 1_000_000;

    /** What goes wrong beside. */
    enum Fate {
        /** Nothing: the link is slow at most. */
        NONE,
        /** A direction carries nothing more from some octet on. */
        STALL,
        /** The connection breaks when a reader has got to some octet. */
        RESET,
        /** A direction ends with a FIN at some octet, which its writer did not send. */
        HALF_CLOSE,
        /** An application aborts. */
        ABORT
    }

    /** What became of what one side had posted. */
    enum Outcome {
        /** All of it arrived, and nothing says otherwise. */
        ARRIVED,
        /** Its disconnect did not get there by its deadline. */
        DEADLINE,
        /** There is a cause. */
        CAUSE,
        /** Some of it did not complete with success. */
        FLUSHED,
        /** It aborted by itself. */
        ABORTED,
        /** Not all of it arrived, and nobody could know: acknowledgements are not seen. */
        LEFT_TO_TCP
    }

    /** One application and the direction that it reads from. */
    private final class End {
        final Side side;
        final Guarded inbox;
        final Guarded local;
        final long tickNanos = 1 + random.nextLong(patient ? LINGER - 1 : 3 * LINGER);
        final long octetsPerTick = 1L << random.nextInt(patient ? 8 : 3, 17);
        final boolean disconnects;
        final long disconnectAt;
        final long deadlineAt;
        long horizon;
        long nextTick;
        long stallAt = Pipe.NEVER;
        long abortAt = Pipe.NEVER;
        int posted;
        boolean reads;
        boolean asked;
        boolean gaveUp;
        boolean aborts;

        End(Side side, boolean disconnects) {
            this.side = side;
            this.disconnects = disconnects;
            inbox = side.memory(MOST * BYTES);
            local = side.memory(MOST * BYTES).pattern(7 + side.qpNumber);
            disconnectAt = pair.now + random.nextLong(random.nextBoolean() ? 1 : 2 * LINGER);
            deadlineAt = patient ? Pipe.NEVER : disconnectAt + random.nextLong(100 * LINGER);
            side.receives(MOST, 100, inbox, BYTES);
            side.blind = !patient && random.nextInt(8) == 0;
        }

        void post(End other) {
            posted = random.nextInt(MOST + 1);
            reads = posted > 0 && random.nextInt(4) == 0;
            for (int i = 0; i < posted; i++) {
                side.send(i, local, (long) i * BYTES, BYTES);
            }
            if (reads) {
                side.read(50, side.memory(BYTES), 0, BYTES, other.local, 0);
            }
        }

        long nextEvent() {
            long next = side.closed ? Pipe.NEVER : side.in.stallAt == stallAt ? Pipe.NEVER : nextTick;
            if (!side.closed) {
                next = Math.min(next, asked ? deadline() : disconnects ? disconnectAt : Pipe.NEVER);
                next = Math.min(next, abortAt);
                if (side.stream.hasDeadline()) {
                    next = Math.min(next, side.stream.deadlineNanos());
                }
            }
            return next;
        }

        private long deadline() {
            return gaveUp ? Pipe.NEVER : deadlineAt;
        }

        void act() {
            if (side.closed) {
                return;
            }
            if (pair.now >= nextTick) {
                horizon += octetsPerTick;
                side.in.stallAt = Math.min(horizon, stallAt);
                nextTick = pair.now + tickNanos;
            }
            if (disconnects && !asked && pair.now >= disconnectAt) {
                asked = true;
                side.stream.disconnect(pair.now);
            }
            if (asked && pair.now >= deadline()) {
                gaveUp = true;
                side.stream.abort();
            }
            if (pair.now >= abortAt) {
                abortAt = Pipe.NEVER;
                aborts = true;
                side.stream.abort();
            }
            if (!side.closed && side.stream.hasDeadline() && side.stream.deadlineNanos() <= pair.now) {
                side.step(pair.now);
                side.stream.timeout(pair.now);
            }
            String stuck = side.stream.stall(pair.now, STALL);
            if (stuck != null) {
                side.stream.stalled(stuck);
            }
        }

        /** Says what this side was told, else checks that all it posted has arrived at {@code other}. */
        Outcome outcome(End other) {
            if (side.stream.fault() != null) {
                return Outcome.CAUSE;
            }
            if (gaveUp) {
                return Outcome.DEADLINE;
            }
            if (aborts) {
                return Outcome.ABORTED;
            }
            if (side.sends.list.size() != posted + (reads ? 1 : 0)) {
                throw new AssertionError("completions are missing: " + side.sends.brief());
            }
            // What completed with success is promised, whatever became of the rest.
            int good = (int) side.sends.list.stream()
                    .filter(wc -> wc.ok() && wc.wrId() < posted)
                    .count();
            long arrived = other.side.receives.list.stream().filter(Wc::ok).count();
            int octets = good * BYTES;
            boolean same = Arrays.equals(local.bytes(0, octets), other.inbox.bytes(0, octets));
            if (arrived < good || !same) {
                // Where the system does not say what is acknowledged, whose peer has ended its side cannot be told; nor
                // where somebody on the way acknowledges what he does not pass on.
                if (side.blind || side.out.truncateAt != Pipe.NEVER) {
                    return Outcome.LEFT_TO_TCP;
                }
                throw new AssertionError(
                        "neither arrived nor told: %d of %d arrived, %s, %s".formatted(arrived, good, this, other));
            }
            return side.sends.list.stream().allMatch(Wc::ok) ? Outcome.ARRIVED : Outcome.FLUSHED;
        }

        @Override
        public String toString() {
            return "side %x: %s, blind %s, disconnects %s, cause %s, tick %d ms, %d octets a tick"
                    .formatted(
                            side.qpNumber,
                            side.stream.state(),
                            side.blind,
                            asked,
                            side.cause(),
                            tickNanos / 1_000_000,
                            octetsPerTick);
        }
    }

    private final SplittableRandom random;
    private final Pair pair = new Pair();
    private final boolean patient;
    private final Fate fate;
    private final End[] ends;

    EndSimulation(long seed) {
        random = new SplittableRandom(seed);
        // In half of the runs nothing is so slow that anybody may give up: then all has to arrive.
        patient = random.nextBoolean();
        fate = patient ? Fate.NONE : Fate.values()[random.nextInt(Fate.values().length)];
        int who = random.nextInt(3);
        pair.start();
        ends = new End[] {new End(pair.a, who != 1), new End(pair.b, who != 0)};
        End victim = ends[random.nextInt(2)];
        long octet = random.nextLong(MOST * BYTES);
        switch (fate) {
            case STALL -> victim.stallAt = octet;
            case RESET -> victim.side.in.resetAt = octet;
            case HALF_CLOSE -> victim.side.in.truncateAt = octet;
            case ABORT -> victim.abortAt = pair.now + random.nextLong(50 * LINGER);
            case NONE -> {}
        }
    }

    Fate fate() {
        return fate;
    }

    boolean isPatient() {
        return patient;
    }

    /** Plays the simulation to its end; answers what became of what A and B had posted, fails if that is neither. */
    Outcome[] play() {
        for (End end : ends) {
            end.side.in.stallAt = 0;
        }
        ends[0].post(ends[1]);
        ends[1].post(ends[0]);
        pair.settle();
        for (int events = 0; ; events++) {
            long next = Math.min(ends[0].nextEvent(), ends[1].nextEvent());
            if (next == Pipe.NEVER) {
                break;
            }
            if (events > MOST_EVENTS) {
                throw new AssertionError("it does not end: " + ends[0] + ", " + ends[1]);
            }
            pair.now = Math.max(pair.now, next);
            ends[0].act();
            ends[1].act();
            pair.settle();
        }
        leave();
        Outcome[] outcomes = {ends[0].outcome(ends[1]), ends[1].outcome(ends[0])};
        pair.assertGuards();
        for (int i = 0; i < 2; i++) {
            // A peer that has ended its side answers no Read any more.
            boolean unanswered = outcomes[i] == Outcome.FLUSHED && ends[i].reads && ends[1 - i].asked;
            if (patient && outcomes[i] != Outcome.ARRIVED && !unanswered) {
                throw new AssertionError(
                        "it was slow, no more: %s, %s, %s".formatted(Arrays.toString(outcomes), ends[0], ends[1]));
            }
        }
        return outcomes;
    }

    // Whoever disconnects is down by its deadline, and who follows with it; but a peer may abort without a word.
    private void leave() {
        for (End end : ends) {
            if (!end.side.closed) {
                if (end.asked) {
                    throw new AssertionError("a disconnect goes on behind its deadline: " + end);
                }
                if (fate != Fate.ABORT) {
                    throw new AssertionError("it follows, and was never told: " + end);
                }
                end.aborts = true;
                end.side.stream.abort();
            }
        }
        pair.settle();
    }
}
