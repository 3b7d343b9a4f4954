package org.panamaverbs.disni.cm;

import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.disni.objects.Failures;

/** Where the events of ids go, in the order in which they come. */
public final class EventChannel extends RdmaEventChannel {
    private final ArrayDeque<CmEvent> events = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    EventChannel(int number) throws IOException {
        super(number);
    }

    /** Adds {@code event}, or drops it if the channel is destroyed or an id of the event is. */
    public void add(CmEvent event) throws IOException {
        boolean added;
        lock.lock();
        try {
            added = isOpen && event.hasOpenIds();
            if (added) {
                events.add(event);
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
        if (!added) {
            event.drop();
        }
    }

    /** Drops the events of {@code id}, which is closed. */
    void forget(RdmaCmId id) throws IOException {
        List<CmEvent> dropped = new ArrayList<>();
        lock.lock();
        try {
            for (CmEvent event : events) {
                if (event.isOf(id)) {
                    dropped.add(event);
                }
            }
            events.removeAll(dropped);
        } finally {
            lock.unlock();
        }
        drop(dropped);
    }

    private static void drop(List<CmEvent> events) throws IOException {
        for (CmEvent event : events) {
            event.drop();
        }
    }

    /** Takes the next event; waits for it for {@code timeout} milliseconds, for ever if that is negative. */
    @Nullable
    CmEvent take(int timeout) throws IOException {
        long left = timeout < 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(timeout);
        lock.lock();
        try {
            while (isOpen && events.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            requireOpen("getCmEvent");
            return events.poll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("getCmEvent: interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    void destroy() throws IOException {
        List<CmEvent> dropped;
        lock.lock();
        try {
            requireOpen("destroyEventChannel");
            isOpen = false;
            dropped = List.copyOf(events);
            events.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        drop(dropped);
    }

    void requireOpen(String operation) throws IOException {
        if (!isOpen) {
            throw Failures.closed(operation, "event channel " + getFd());
        }
    }
}
