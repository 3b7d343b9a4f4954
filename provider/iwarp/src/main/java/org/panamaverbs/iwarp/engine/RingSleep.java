package org.panamaverbs.iwarp.engine;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.engine.device.DrivingWait;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.FutexWaiter;

/**
 * Has a thread that waits for completions sleep at the rings of their streams, which its peers wake it from, and drive
 * them itself. That is of use while all of these streams have rings, and are few: the event loop looks after the rest,
 * as after ends and timers, and changes a word of the thread's own if something comes of that.
 */
final class RingSleep implements DrivingWait {
    private final WeakList<WeakList<Drivers>> channels = new WeakList<>();
    private final AtomicReference<@Nullable Thread> holder = new AtomicReference<>();
    private final Predicate<WeakList<Drivers>> fitsChannel = this::fitsChannel;
    private final Predicate<Drivers> fitsQueue = this::fitsQueue;
    private final Predicate<WeakList<Drivers>> restAtChannel = this::restAtChannel;
    private final Predicate<Drivers> restAtQueue = this::restAtQueue;
    // Of the holder; made for the first.
    private @Nullable FutexWaiter words;
    // The streams of a turn, each once; before the first, those that would be.
    private final @Nullable StreamDriver[] rested = new StreamDriver[FutexWaiter.MOST_WORDS];
    private int count;
    private boolean busy;

    /** Sleeps, too, at the rings of the queues of one channel. */
    void add(WeakReference<WeakList<Drivers>> channel) {
        channels.add(channel);
    }

    /** Sleeps at these no longer. */
    void remove(WeakReference<WeakList<Drivers>> channel) {
        channels.remove(channel);
    }

    @Override
    public boolean take() {
        // A virtual thread that sleeps in the system keeps its carrier.
        if (Thread.currentThread().isVirtual() || !holder.compareAndSet(null, Thread.currentThread())) {
            return false;
        }
        boolean taken = false;
        try {
            // In this order: where there are no rings there may be no system calls.
            if (fits() && FutexWaiter.isUsable()) {
                begin();
                taken = true;
            }
            return taken;
        } finally {
            if (!taken) {
                holder.set(null);
            }
        }
    }

    private void begin() {
        FutexWaiter at = words;
        if (at == null) {
            at = new FutexWaiter();
            words = at;
        }
        at.begin();
    }

    /** Tells whether there are streams, all of them have rings, and they are few: most waits end here. */
    private boolean fits() {
        count = 0;
        try {
            return channels.all(fitsChannel) && count != 0;
        } finally {
            while (count > 0) {
                rested[--count] = null;
            }
        }
    }

    private boolean fitsChannel(WeakList<Drivers> queues) {
        return queues.all(fitsQueue);
    }

    private boolean fitsQueue(Drivers queue) {
        StreamDriver[] all = queue.all();
        if (all.length > rested.length) {
            return false;
        }
        for (StreamDriver driver : all) {
            Transport.Rest rest = driver.wouldRest();
            if (rest == Transport.Rest.ELSEWHERE) {
                return false;
            }
            if (rest == Transport.Rest.AT_WORD && !isRested(driver)) {
                if (count == rested.length) {
                    return false;
                }
                rested[count++] = driver;
            }
        }
        return true;
    }

    @Override
    public boolean turn(long nanos) {
        FutexWaiter at = words;
        if (nanos <= 0 || at == null) {
            return true;
        }
        count = 0;
        busy = false;
        at.clear();
        try {
            boolean fit = channels.all(restAtChannel) && count != 0;
            return fit && (busy || at.sleep(nanos));
        } finally {
            wake();
        }
    }

    private boolean restAtChannel(WeakList<Drivers> queues) {
        return queues.all(restAtQueue);
    }

    private boolean restAtQueue(Drivers queue) {
        StreamDriver[] all = queue.all();
        if (all.length > rested.length) {
            return false;
        }
        for (StreamDriver driver : all) {
            if (!isRested(driver) && !rest(driver)) {
                return false;
            }
        }
        return true;
    }

    private boolean isRested(StreamDriver driver) {
        for (int i = 0; i < count; i++) {
            if (rested[i] == driver) {
                return true;
            }
        }
        return false;
    }

    private boolean rest(StreamDriver driver) {
        FutexWaiter at = words;
        if (at == null || count == rested.length) {
            return false;
        }
        Transport.Rest rest = driver.rest(at);
        if (rest == Transport.Rest.BUSY || rest == Transport.Rest.AT_WORD) {
            rested[count++] = driver;
            busy |= rest == Transport.Rest.BUSY;
        }
        return rest != Transport.Rest.ELSEWHERE;
    }

    private void wake() {
        while (count > 0) {
            StreamDriver driver = rested[--count];
            rested[count] = null;
            if (driver != null) {
                driver.awake();
            }
        }
    }

    @Override
    public void giveBack() {
        holder.set(null);
    }

    @Override
    public void wakeup() {
        FutexWaiter at = words;
        if (at != null) {
            at.wakeup();
        }
    }
}
