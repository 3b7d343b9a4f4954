package org.panamaverbs.iwarp.engine;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionQueue;

/**
 * The queues of a channel whose events nobody has taken yet, in the order in which they raised them, each once. Each
 * queue brings its own place, so that nothing here needs memory. Any thread.
 */
final class RaisedEvents {
    private @Nullable Entry oldest;
    private @Nullable Entry newest;

    /** The place of one queue; guarded by the list of its channel. */
    static final class Entry {
        /** What its event hands out, which happens too often to make it each time. */
        final Optional<CompletionQueue> queue;

        private boolean raised;
        private @Nullable Entry next;

        Entry(CompletionQueue queue) {
            this.queue = Optional.of(queue);
        }
    }

    /** Adds the event of {@code queue}, unless it is there. */
    synchronized void add(Entry queue) {
        if (queue.raised) {
            return;
        }
        queue.raised = true;
        if (newest == null) {
            oldest = queue;
        } else {
            newest.next = queue;
        }
        newest = queue;
    }

    /** Takes the oldest event; empty if there is none. */
    synchronized Optional<CompletionQueue> take() {
        Entry first = oldest;
        if (first == null) {
            return Optional.empty();
        }
        unlink(null, first);
        return first.queue;
    }

    /** Drops the event of {@code queue}, if it is there. */
    synchronized void remove(Entry queue) {
        Entry before = null;
        for (Entry each = oldest; each != null; each = each.next) {
            if (each == queue) {
                unlink(before, each);
                return;
            }
            before = each;
        }
    }

    /** Tells whether there is none. */
    synchronized boolean isEmpty() {
        return oldest == null;
    }

    private void unlink(@Nullable Entry before, Entry queue) {
        if (before == null) {
            oldest = queue.next;
        } else {
            before.next = queue.next;
        }
        if (newest == queue) {
            newest = before;
        }
        queue.next = null;
        queue.raised = false;
    }
}
