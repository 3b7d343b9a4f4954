package org.panamaverbs.iwarp.engine.progress;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.LoopHandler;
import org.panamaverbs.iwarp.engine.context.LoopTimer;
import org.panamaverbs.iwarp.net.Watch;

/**
 * The streams of a context whose doorbells were withheld: the event loop looks whether somebody has sent what they
 * announced, and sends it if not. One timer for all, set once a millisecond at most; entering a stream allocates
 * nothing.
 */
public final class HeldDoorbells implements LoopHandler {
    // Where nothing is withheld; the timer stays.
    private static final long FAR_NANOS = TimeUnit.HOURS.toNanos(1);

    private final LoopTimer timer = new LoopTimer();
    private final EventLoop loop;
    private final AtomicReference<@Nullable Entry> last = new AtomicReference<>();
    private volatile long deadlineNanos;

    /** The place of one stream in the list. */
    static final class Entry {
        private final LongConsumer sendHeld;
        // Belongs to the list while it is entered.
        private @Nullable Entry next;
        private volatile boolean entered;

        /** Makes one of a stream for which {@code sendHeld}, called with the time, sends what is withheld. */
        Entry(LongConsumer sendHeld) {
            this.sendHeld = sendHeld;
        }
    }

    /** Creates the list of the streams of {@code loop}, which is empty. */
    public HeldDoorbells(EventLoop loop) {
        this.loop = loop;
        deadlineNanos = System.nanoTime() + FAR_NANOS;
        loop.watch(this);
    }

    /** Has the loop look after {@code stream} in a while, unless it is going to; with the stream's lock. */
    void add(Entry stream, long now) {
        if (stream.entered) {
            return;
        }
        stream.entered = true;
        Entry before;
        do {
            before = last.get();
            stream.next = before;
        } while (!last.compareAndSet(before, stream));
        if (before == null) {
            deadlineNanos = now + Doorbells.LOOK_NANOS;
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
        Entry stream = last.getAndSet(null);
        while (stream != null) {
            // It may be entered again at once.
            Entry next = stream.next;
            stream.entered = false;
            stream.sendHeld.accept(now);
            stream = next;
        }
    }

    @Override
    public void ready(Watch watch, long now) {
        throw new IllegalStateException("it watches no channel");
    }

    @Override
    public void failed(Throwable cause) {
        // The streams that were not looked at are found by whoever polls or posts next.
        loop.watch(this);
    }
}
