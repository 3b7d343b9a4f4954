package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;

/** Two streams that talk to each other over pipes under a clock of their own, which jumps from deadline to deadline. */
final class Pair {
    static final int EMSS = 1460;
    private static final long STALL_NANOS = 5 * Side.LINGER_NANOS;
    private static final int MAX_STEPS = 4_000_000;

    final Pipe toB;
    final Pipe toA;
    final Side a;
    final Side b;
    long now = 1_000;

    Pair() {
        toA = new Pipe();
        toB = new Pipe();
        a = new Side(0x11, toA, toB);
        b = new Side(0x22, toB, toA);
    }

    /** Two sides whose pipes are connected already. */
    Pair(Side a, Side b) {
        this.a = a;
        this.b = b;
        toA = a.in;
        toB = b.in;
    }

    /** Two sides around two new pipes. */
    static Pair of(StreamConfig configA, StreamConfig configB) {
        Pipe toB = new Pipe();
        Pipe toA = new Pipe();
        return new Pair(
                new Side(configA, toA, toB, new StagTable(64, Side.randomStags(1)), null, null),
                new Side(configB, toB, toA, new StagTable(64, Side.randomStags(2)), null, null));
    }

    /** What the usual connection agreed on, seen by one side: CRC, no markers, RTR Write, 16 Reads either way. */
    static Negotiated agreed(boolean initiator) {
        return Negotiated.builder(initiator)
                .crc(true)
                .rtr(Rtr.WRITE)
                .depths(16)
                .emss(EMSS)
                .build();
    }

    /** Starts both cores with {@link #agreed} and lets the ready-to-receive message through. */
    Pair start() {
        return start(agreed(true), agreed(false));
    }

    /** Starts both cores and lets what has to go first go. */
    Pair start(Negotiated initiator, Negotiated responder) {
        a.stream.start(initiator, now);
        b.stream.start(responder, now);
        settle();
        return this;
    }

    Pair split(Splitter writing, Splitter reading) {
        a.writing = writing;
        b.writing = writing;
        a.reading = reading;
        b.reading = reading;
        return this;
    }

    /** Lets octets flow until nothing moves any more, at the present time. */
    void settle() {
        for (int steps = 0; stepBoth(); steps++) {
            if (steps > MAX_STEPS) {
                throw new AssertionError("the streams do not come to rest: " + a.stream.state() + ", "
                        + b.stream.state() + ", closed " + a.closed + ", " + b.closed);
            }
        }
    }

    private boolean stepBoth() {
        boolean ofA = a.step(now);
        return b.step(now) || ofA;
    }

    /** Lets time go from deadline to deadline until there is none. */
    void elapse() {
        settle();
        for (int jumps = 0; jump(); jumps++) {
            if (jumps > 1_000) {
                throw new AssertionError("timers never end");
            }
            settle();
        }
    }

    private boolean jump() {
        boolean forA = !a.closed && a.stream.hasDeadline();
        boolean forB = !b.closed && b.stream.hasDeadline();
        if (!forA && !forB) {
            return false;
        }
        long next = !forB || (forA && a.stream.deadlineNanos() - b.stream.deadlineNanos() < 0)
                ? a.stream.deadlineNanos()
                : b.stream.deadlineNanos();
        now = Math.max(now, next);
        for (Side side : new Side[] {a, b}) {
            if (!side.closed) {
                side.stream.timeout(now);
                leaveIfItTakesNothing(side);
            }
        }
        return true;
    }

    // What the engine does for a stream that has sent its last; a model knows of no others.
    private void leaveIfItTakesNothing(Side side) {
        String stuck = side.stream.state() == StreamState.CLOSING ? side.stream.stall(now, STALL_NANOS) : null;
        if (stuck != null) {
            side.stream.stalled(stuck);
        }
    }

    /** Closes both streams gracefully and checks that both came to their end so. */
    void disconnect() {
        a.stream.disconnect(now);
        elapse();
        assertThat(a.stream.fault()).isNull();
        assertThat(b.stream.fault()).isNull();
        assertThat(a.stream.state()).isEqualTo(StreamState.CLOSED);
        assertThat(b.stream.state()).isEqualTo(StreamState.CLOSED);
        assertThat(a.aborted || b.aborted).isFalse();
        assertGuards();
    }

    void assertGuards() {
        a.assertGuards();
        b.assertGuards();
    }
}
