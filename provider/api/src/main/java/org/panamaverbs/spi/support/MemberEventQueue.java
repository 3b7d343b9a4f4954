package org.panamaverbs.spi.support;

import java.util.IdentityHashMap;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.Events;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.memory.ManagedResource;

/**
 * An event queue for any provider whose objects are {@link EventMember}s.
 *
 * <p>A member that may have an event is pushed on a stack, once, by the thread that signals it. The thread that takes
 * events empties the stack and asks each member in turn, one event per turn. It clears a member's mark before asking,
 * so that a signal meanwhile pushes the member again: none is lost.
 */
public final class MemberEventQueue extends ManagedResource implements EventQueue {
    private static final EventWriter WRITER = EventWriter.get();
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ManagedResource device;
    private final EventMember asyncEvents;
    private final EventWait wait;
    private final IdentityHashMap<Object, Entry> entries; // guarded by itself
    // The newest of those that may have something, each once.
    private final AtomicReference<@Nullable Entry> ready;
    private final AtomicBoolean woken;
    private final BooleanSupplier done;
    private final ReentrantLock turn;
    // With the turn: those that are asked next, oldest first.
    private @Nullable Entry first;
    private @Nullable Entry last;
    // With the turn: until when the wait under way is not to look whether something was missed.
    private Deadline nextLook;

    /**
     * Creates an event queue without members.
     *
     * @param asyncEvents the asynchronous events of {@code device}
     * @param wait closed with the queue
     */
    public MemberEventQueue(String name, ManagedResource device, EventMember asyncEvents, EventWait wait) {
        super(name, device);
        this.device = device;
        this.asyncEvents = asyncEvents;
        this.wait = wait;
        try {
            entries = new IdentityHashMap<>();
            ready = new AtomicReference<>();
            woken = new AtomicBoolean();
            done = this::mayReturn;
            turn = new ReentrantLock();
            nextLook = Deadline.now();
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    /** A member. */
    private final class Entry implements Readiness.Watcher {
        private final Object key;
        private final EventMember member;
        private final @Nullable Object attachment;
        private final AtomicBoolean marked = new AtomicBoolean();
        // Of who puts it on the stack, then with the turn.
        private @Nullable Entry next;
        private volatile boolean gone;

        Entry(Object key, EventMember member, @Nullable Object attachment) {
            this.key = key;
            this.member = member;
            this.attachment = attachment;
        }

        @Override
        public void ready() {
            if (marked.get() || !marked.compareAndSet(false, true)) {
                return;
            }
            boolean there = false;
            try {
                Entry before;
                do {
                    before = ready.get();
                    next = before;
                } while (!ready.compareAndSet(before, this));
                there = true;
            } finally {
                if (!there) {
                    marked.set(false);
                }
            }
            wait.wake();
        }

        @Override
        public void closed() {
            forget(this);
        }
    }

    @Override
    public void add(Listener listener, @Nullable Object attachment) {
        add("listener", listener, attachment);
    }

    @Override
    public void add(PendingConnection attempt, @Nullable Object attachment) {
        add("pending connection", attempt, attachment);
    }

    @Override
    public void add(Connection connection, @Nullable Object attachment) {
        add("connection", connection, attachment);
    }

    @Override
    public void add(CompletionChannel channel, @Nullable Object attachment) {
        add("completion channel", channel, attachment);
    }

    private void add(String kind, Object object, @Nullable Object attachment) {
        if (!(object instanceof EventMember member) || !serves(member.device())) {
            throw notServed(kind, object);
        }
        add(object, member, attachment);
    }

    private IllegalArgumentException notServed(String kind, Object object) {
        return new IllegalArgumentException("the " + kind + " " + object + " does not belong to the device of "
                + resourceName() + (wait.servesAllDevices() ? ", nor to another device of its provider" : "")
                + "; remedy: add it to an event queue of its own device");
    }

    private boolean serves(ManagedResource other) {
        return device.equals(other)
                || (wait.servesAllDevices() && device.getClass().equals(other.getClass()));
    }

    @Override
    public void addAsyncEvents(@Nullable Object attachment) {
        add(this, asyncEvents, attachment);
    }

    @Override
    public void addAsyncEvents(Verbs other, @Nullable Object attachment) {
        EventMember member = other instanceof EventMember.Source source ? source.asyncEvents() : null;
        if (member == null || !serves(member.device())) {
            throw notServed("device", other);
        }
        add(other, member, attachment);
    }

    private void add(Object key, EventMember member, @Nullable Object attachment) {
        requireOpen();
        Entry entry = new Entry(key, member, attachment);
        synchronized (entries) {
            if (!member.isOpen()) {
                throw new IllegalStateException(member + " is closed");
            }
            if (!member.readiness().watch(entry)) {
                throw new IllegalStateException(member
                        + " is already a member of an event queue; remedy: remove it from that event queue first");
            }
            boolean added = false;
            try {
                entries.put(key, entry);
                wait.added(member);
                added = true;
            } finally {
                if (!added) {
                    forget(entry);
                }
            }
        }
        // It may have been closed before it had whom to tell.
        if (!member.isOpen() || !isOpen()) {
            forget(entry);
        }
        entry.ready();
    }

    @Override
    public boolean remove(Object member) {
        synchronized (entries) {
            Entry entry = entries.get(member);
            if (entry != null) {
                forget(entry);
            }
            return entry != null;
        }
    }

    private void forget(Entry entry) {
        entry.gone = true;
        synchronized (entries) {
            if (entries.remove(entry.key, entry)) {
                wait.removed(entry.member);
            }
            entry.member.readiness().unwatch(entry); // last: it may be another queue's then
        }
    }

    @Override
    public int size() {
        synchronized (entries) {
            return entries.size();
        }
    }

    @Override
    public int poll(Events events) {
        if (!turn.tryLock()) {
            requireOpen();
            WRITER.filled(events, 0);
            return 0;
        }
        try {
            requireOpen();
            wait.look();
            woken.set(false);
            int count = fill(events);
            if (first != null) {
                wait.wake(); // the descriptor is to say so
            }
            return count;
        } finally {
            turn.unlock();
        }
    }

    @Override
    public int await(Events events, Deadline deadline) {
        WRITER.filled(events, 0);
        try {
            Waits.requireNoInterrupt();
            if (!turn.tryLock() && !turn.tryLock(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
                requireOpen();
                return 0;
            }
            try {
                return awaitWithTurn(events, deadline);
            } finally {
                turn.unlock();
            }
        } catch (InterruptedException e) {
            throw Waits.interrupted("await", resourceName());
        }
    }

    private int awaitWithTurn(Events events, Deadline deadline) throws InterruptedException {
        requireOpen(); // else what the wait looks at may be another's
        wait.look();
        while (true) {
            int count = fill(events);
            if (count != 0 || woken.compareAndSet(true, false) || deadline.passed()) {
                return count;
            }
            wait.await(done, untilNextLook(deadline));
            Waits.requireNoInterrupt();
            requireOpen();
        }
    }

    private boolean mayReturn() {
        return ready.get() != null || woken.get() || !isOpen();
    }

    /** Has the wait look by itself now and then: there may have been no memory to say that something came. */
    private Deadline untilNextLook(Deadline deadline) {
        if (nextLook.passed()) {
            nextLook = Deadline.in(LOOK_NANOS, TimeUnit.NANOSECONDS);
            synchronized (entries) {
                for (Entry each : entries.values()) {
                    if (each.member.mayHaveMissed()) {
                        each.ready();
                    }
                }
            }
        }
        return deadline.remainingNanos() < nextLook.remainingNanos() ? deadline : nextLook;
    }

    /** Takes the events that are there; with the turn. */
    private int fill(Events events) {
        int count = 0;
        gather();
        while (count < events.capacity()) {
            Entry entry = takeFirst();
            if (entry == null) {
                gather();
                entry = takeFirst();
            }
            if (entry == null) {
                break;
            }
            // Before it is asked: what comes from now on puts it there again.
            entry.marked.set(false);
            try {
                count += take(entry, events, count);
            } catch (RuntimeException | Error e) {
                entry.ready();
                WRITER.filled(events, count);
                if (count == 0) {
                    throw e;
                }
                return count;
            }
        }
        WRITER.filled(events, count);
        return count;
    }

    private int take(Entry entry, Events events, int index) {
        if (entry.gone) {
            return 0;
        }
        Event event = WRITER.slot(events, index);
        WRITER.of(event, entry.key, entry.attachment);
        switch (entry.member.take(event)) {
            case NOTHING -> {
                WRITER.clear(event);
                return 0;
            }
            case ONE -> {
                // Behind the others, unless it was put on the stack meanwhile.
                if (entry.marked.compareAndSet(false, true)) {
                    append(entry, entry);
                }
            }
            case LAST -> forget(entry);
        }
        return 1;
    }

    private void append(Entry chain, Entry chainLast) {
        chainLast.next = null;
        if (last == null) {
            first = chain;
        } else {
            last.next = chain;
        }
        last = chainLast;
    }

    /** Appends what is on the stack, the oldest first. */
    private void gather() {
        Entry newest = ready.getAndSet(null);
        Entry chain = null;
        Entry chainLast = newest;
        for (Entry each = newest; each != null; ) {
            Entry older = each.next;
            each.next = chain;
            chain = each;
            each = older;
        }
        if (chain != null && chainLast != null) {
            append(chain, chainLast);
        }
    }

    private @Nullable Entry takeFirst() {
        Entry entry = first;
        if (entry == null) {
            return null;
        }
        first = entry.next;
        if (first == null) {
            last = null;
        }
        entry.next = null;
        return entry;
    }

    @Override
    public void wakeup() {
        if (isOpen() && !woken.get() && woken.compareAndSet(false, true)) {
            wait.wake();
        }
    }

    @Override
    public OptionalInt fileDescriptor() {
        requireOpen();
        return wait.fileDescriptor();
    }

    @Override
    protected void destroy() {
        wait.wake();
        turn.lock(); // after the thread that waits
        try {
            synchronized (entries) {
                for (Object each : entries.keySet().toArray()) {
                    remove(each);
                }
            }
        } finally {
            turn.unlock();
        }
    }

    @Override
    protected void release() {
        wait.close();
    }
}
