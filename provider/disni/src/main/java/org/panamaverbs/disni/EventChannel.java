package org.panamaverbs.disni;

import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Where the events of ids go, in the order in which they come. */
final class EventChannel extends RdmaEventChannel {
    private final ArrayDeque<CmEvent> events = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    EventChannel(int number) throws IOException {
        super(number);
    }

    /** Adds {@code event}, unless the channel is destroyed or the event's id is. */
    void add(CmEvent event) {
        lock.lock();
        try {
            if (isOpen && event.getConnIdPriv().isOpen()) {
                events.add(event);
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Drops the events of {@code id}, which is closed. */
    void forget(CmId id) {
        lock.lock();
        try {
            events.removeIf(event -> event.isOf(id));
        } finally {
            lock.unlock();
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
        lock.lock();
        try {
            requireOpen("destroyEventChannel");
            isOpen = false;
            events.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void requireOpen(String operation) throws IOException {
        if (!isOpen) {
            throw Failures.closed(operation, "event channel " + getFd());
        }
    }
}
