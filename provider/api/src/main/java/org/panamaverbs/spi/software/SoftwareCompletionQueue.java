package org.panamaverbs.spi.software;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.CompletionWriter;
import org.panamaverbs.spi.watch.PollCounts;

/** Completions in the order of their coming, in a ring of places that are reused. */
final class SoftwareCompletionQueue extends ManagedResource implements CompletionQueue {
    private static final CompletionWriter WRITER = CompletionWriter.get();

    private final SoftwareDevice device;
    private final @Nullable SoftwareCompletionChannel channel;
    private final Set<SoftwareQueuePair> users = new LinkedHashSet<>();
    private final PollCounts polls;
    private final Entry[] entries;
    private int first;
    private int count;
    private boolean armed;
    private boolean solicitedOnly;
    /** A completion found no room: what came is lost, and all that use the queue have failed. */
    private boolean overrun;

    SoftwareCompletionQueue(SoftwareDevice device, int capacity, @Nullable SoftwareCompletionChannel channel) {
        super(
                "completion queue " + SoftwareDevice.nextNumber(),
                channel == null ? new ManagedResource[] {device} : new ManagedResource[] {device, channel});
        this.device = device;
        polls = device.watch().completionQueue();
        this.channel = channel;
        // One more than it holds, for the completion that does not fit.
        entries = new Entry[capacity + 1];
        for (int i = 0; i <= capacity; i++) {
            entries[i] = new Entry();
        }
    }

    /** A completion that waits to be polled. */
    static final class Entry {
        private long wrId;
        private WcStatus status = WcStatus.SUCCESS;
        private WcOpcode opcode = WcOpcode.SEND;
        private int number;
        private @Nullable Object attachment;
        private long byteCount;
        private boolean hasImmediate;
        private long immediate;
        private @Nullable SendPlaces places;
        private long sequence;

        /** Sets what each completion has and clears the rest. */
        Entry of(QueuePair queuePair, long newWrId, WcStatus newStatus, WcOpcode newOpcode, long bytes) {
            number = queuePair.number();
            attachment = queuePair.config().attachment();
            wrId = newWrId;
            status = newStatus;
            opcode = newOpcode;
            byteCount = bytes;
            hasImmediate = false;
            places = null;
            return this;
        }

        /** Adds immediate data. */
        void carrying(long data) {
            hasImmediate = true;
            immediate = data;
        }

        /** Says that the sends up to {@code newSequence} lose their places when this is polled. */
        void freeing(SendPlaces newPlaces, long newSequence) {
            places = newPlaces;
            sequence = newSequence;
        }

        private void take(WorkCompletion into) {
            WRITER.set(into, wrId, status, opcode, number, byteCount, 0);
            WRITER.attachment(into, attachment);
            attachment = null;
            if (hasImmediate) {
                WRITER.immediate(into, immediate);
            }
            if (places != null) {
                places.free(sequence);
            }
            places = null;
        }
    }

    SoftwareDevice device() {
        return device;
    }

    void addUser(SoftwareQueuePair user) {
        users.add(user);
    }

    void removeUser(SoftwareQueuePair user) {
        users.remove(user);
    }

    /** Returns the place of the next completion, to be filled and then published. */
    Entry next() {
        return entries[(first + count) % entries.length];
    }

    /** Lets pollers see what was filled, and raises the event that the queue is armed for. */
    void publish(boolean solicited) {
        if (overrun) {
            return;
        }
        boolean failed = next().status != WcStatus.SUCCESS;
        if (count == capacity()) {
            overrun = true;
            device.raise(new AsyncEvent(AsyncEvent.Type.CQ_ERROR, this, overrunText()));
            List.copyOf(users).forEach(SoftwareQueuePair::fail);
        } else {
            count++;
        }
        if (channel != null && armed && (solicited || failed || overrun || !solicitedOnly)) {
            armed = false;
            channel.raise(this);
        }
    }

    @Override
    public int poll(WorkCompletions completions) {
        synchronized (device.lock()) {
            requireUsable();
            polls.begun();
            if (count == 0) {
                polls.foundNothing();
            }
            int taken = Math.min(count, completions.capacity());
            for (int i = 0; i < taken; i++) {
                entries[first].take(WRITER.slot(completions, i));
                first = (first + 1) % entries.length;
            }
            count -= taken;
            WRITER.filled(completions, taken);
            return taken;
        }
    }

    private void requireUsable() {
        requireOpen();
        if (overrun) {
            throw new IllegalStateException(overrunText());
        }
    }

    private String overrunText() {
        return this + " of device " + device.limits().device() + " was overrun: more than " + capacity()
                + " completions arrived before they were polled; remedy: create a larger one, poll sooner, or signal"
                + " fewer"
                + " requests";
    }

    @Override
    public void arm(boolean forSolicitedOnly) {
        synchronized (device.lock()) {
            requireUsable();
            if (channel == null) {
                throw new IllegalStateException(
                        this + " has no completion channel; remedy: create it with CompletionQueueConfig.withChannel");
            }
            solicitedOnly = forSolicitedOnly && (solicitedOnly || !armed);
            armed = true;
        }
    }

    @Override
    public int capacity() {
        return entries.length - 1;
    }

    @Override
    public void resize(int newCapacity) {
        requireOpen();
        device.limits().require(Feature.CQ_RESIZE);
    }

    @Override
    public void moderate(int count, int micros) {
        requireOpen();
        device.limits().require(Feature.CQ_MODERATION);
    }

    @Override
    protected void destroy() {
        if (channel != null) {
            channel.forget(this);
        }
        device.watch().remove(polls);
    }
}
