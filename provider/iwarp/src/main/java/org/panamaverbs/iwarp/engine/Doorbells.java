package org.panamaverbs.iwarp.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.LoopHandler;
import org.panamaverbs.iwarp.engine.device.LoopTimer;
import org.panamaverbs.iwarp.net.Watch;

/**
 * The doorbells of one send queue: those of a busy queue share a call to the kernel (decision 36). A queue is busy once
 * {@link #STREAK} doorbells in a row came sooner after a call than that call had taken: its thread is in the kernel
 * most of the time. The doorbell of a queue that is not busy is never withheld.
 *
 * <p>What is withheld goes with the doorbell that makes it {@link #MOST_WEIGHT} bytes or comes {@link #HOLD_NANOS}
 * after the last call, with the second poll in a row, or with whatever else makes progress; at the latest with the
 * event loop's timer, {@link #LOOK_NANOS} later: {@link Withheld}. Guarded by the stream's lock.
 */
final class Doorbells {
    /** So many doorbells in a row make a queue busy. */
    static final int STREAK = 4;
    /** So much is withheld at most, as {@link org.panamaverbs.iwarp.core.SendCommands#weight} counts. */
    static final long MOST_WEIGHT = 32 * 1024;
    /** For so long after a call more is withheld, and a poll waits for more. */
    static final long HOLD_NANOS = 20_000;
    /** When the event loop looks for what nobody has sent. */
    static final long LOOK_NANOS = 1_000_000;

    private final LongConsumer sendHeld;
    // The last call that a doorbell or something withheld led to.
    private long callEnd;
    private long callNanos;
    private long sentWeight;
    // The last pass, which receives as well.
    private long passBegin;
    // Doorbells in a row that came so soon, up to STREAK.
    private int streak;
    private boolean held;
    // A poll has come since the last doorbell.
    private boolean polled;
    // The place in Withheld, which it belongs to while it is entered.
    private @Nullable Doorbells next;
    private volatile boolean entered;

    /** Creates the doorbells of a queue for which {@code sendHeld}, called with the time, sends what is withheld. */
    Doorbells(LongConsumer sendHeld) {
        this.sendHeld = sendHeld;
    }

    /** Hears a doorbell at {@code now}, {@code weight} posted in all; tells whether it waits for more. */
    boolean holdsBack(long now, long weight) {
        long since = now - callEnd;
        polled = false;
        if (!held) {
            if (since >= Math.min(callNanos, HOLD_NANOS)) {
                streak = 0;
            } else if (streak < STREAK) {
                streak++;
            } else {
                held = weight - sentWeight < MOST_WEIGHT;
            }
            return held;
        }
        return since < HOLD_NANOS && weight - sentWeight < MOST_WEIGHT;
    }

    /**
     * Hears a poll; tells whether it leaves the stream alone: it is the first behind a doorbell that was withheld, so
     * that its thread may be about to post more. Never longer after a pass than a doorbell would wait: a pass receives,
     * which a call for doorbells does not.
     */
    boolean holdsBackPoll(long now) {
        boolean waits = held && !polled && now - passBegin < HOLD_NANOS;
        polled = true;
        return waits;
    }

    /** Tells whether something is withheld. */
    boolean areHeld() {
        return held;
    }

    /** A pass begins at {@code begin} and sends what is withheld. */
    void passes(long begin) {
        passBegin = begin;
    }

    /**
     * What was withheld was sent, {@code weight} in all, by a pass that has ended: how long a call takes is not told by
     * it.
     */
    void sentByPass(long end, long weight) {
        held = false;
        callEnd = end;
        sentWeight = weight;
    }

    /** Everything of {@code weight} was sent, in a call from {@code begin} to {@code end}. */
    void sent(long begin, long end, long weight) {
        held = false;
        callNanos = end - begin;
        callEnd = end;
        sentWeight = weight;
    }

    /**
     * The queues of a context whose doorbells were withheld: the event loop looks whether somebody has sent what they
     * announced, and sends it if not. One timer for all, set once a millisecond at most; entering a queue allocates
     * nothing.
     */
    public static final class Withheld implements LoopHandler {
        // Where nothing is withheld; the timer stays.
        private static final long FAR_NANOS = TimeUnit.HOURS.toNanos(1);

        private final LoopTimer timer = new LoopTimer();
        private final EventLoop loop;
        private final AtomicReference<@Nullable Doorbells> last = new AtomicReference<>();
        private volatile long deadlineNanos;

        /** Creates the list of the queues of {@code loop}, which is empty. */
        public Withheld(EventLoop loop) {
            this.loop = loop;
            deadlineNanos = System.nanoTime() + FAR_NANOS;
            loop.watch(this);
        }

        /** Has the loop look after {@code queue} in a while, unless it is going to; with the stream's lock. */
        void add(Doorbells queue, long now) {
            if (queue.entered) {
                return;
            }
            queue.entered = true;
            Doorbells before;
            do {
                before = last.get();
                queue.next = before;
            } while (!last.compareAndSet(before, queue));
            if (before == null) {
                deadlineNanos = now + LOOK_NANOS;
                loop.watch(this);
            }
        }

        @Override
        public LoopTimer timer() {
            return timer;
        }

        @Override
        public long deadlineNanos() {
            return deadlineNanos;
        }

        @Override
        public void timeout(long now) {
            // Before the list is taken: whoever enters the next one sets it again.
            deadlineNanos = now + FAR_NANOS;
            Doorbells queue = last.getAndSet(null);
            while (queue != null) {
                // It may be entered again at once.
                Doorbells next = queue.next;
                queue.entered = false;
                queue.sendHeld.accept(now);
                queue = next;
            }
        }

        @Override
        public void ready(Watch watch, long now) {
            throw new IllegalStateException("it watches no channel");
        }

        @Override
        public void failed(Throwable cause) {
            // The queues that were not looked at are found by whoever polls or posts next.
            loop.watch(this);
        }
    }
}
