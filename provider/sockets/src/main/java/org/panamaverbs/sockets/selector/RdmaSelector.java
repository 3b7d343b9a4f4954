package org.panamaverbs.sockets.selector;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.sockets.channel.ReadyChannel;

/**
 * A selector for our channels and the JDK's together, of which the latter have keys of a selector of the JDK's. Of ours
 * only those are looked at that may be ready: those that said so, and some that were ready not long ago, which need not
 * say it, and are polled for a while before it sleeps.
 */
public final class RdmaSelector extends AbstractSelector {
    private static final long FOR_EVER = -1;
    private static final int POLLS_A_CLOCK = 32;

    /** Keys that are polled at most; the others say that they may be ready. */
    private static final int MOST_POLLED = 64;

    /** The JDK's. */
    private final Selector inner;

    /**
     * Made once, as the JDK's selector is given it each time: it would note what it finds in a set of its own
     * otherwise.
     */
    private final Consumer<SelectionKey> found = this::found;

    private final SelectorSleep sleep;
    private final ReadyStack<RdmaKey> stack;

    /** How long keys are polled before it sleeps. */
    private final long spinNanos;

    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> keysSeen = Collections.unmodifiableSet(keys);

    /** Guarded by {@link #selectedSeen}, as the contract says. */
    private final Set<SelectionKey> selected = new HashSet<>();

    private final Set<SelectionKey> selectedSeen = new SelectedKeys(selected);

    /** There has been a key of a channel of the JDK's. */
    private volatile boolean mixed;

    // What a selection has found; guarded by the selector.

    /** A key is ready, whether or not it was selected before. */
    private boolean any;

    /** Keys that are ready for something that they were not. */
    private int updated;

    /** Keys go to an action. */
    private boolean acts;

    /** Keys that an action gets. */
    private final Set<RdmaKey> acted = new LinkedHashSet<>();

    /** A selection is under way: an action may not begin another. */
    private boolean selecting;

    /**
     * Makes a selector.
     *
     * @param provider whose it is
     * @param jdk the provider of the JDK, whose channels may be registered, too
     * @param spinNanos how long a selection polls before it sleeps, if a key was ready not long ago
     * @throws IOException if the system has no descriptor for it
     */
    public RdmaSelector(SelectorProvider provider, SelectorProvider jdk, long spinNanos) throws IOException {
        super(provider);
        this.spinNanos = spinNanos;
        inner = jdk.openSelector();
        sleep = new SelectorSleep(inner);
        stack = sleep.stack();
    }

    private void requireOpen() {
        if (!isOpen()) {
            throw new ClosedSelectorException();
        }
    }

    @Override
    public Set<SelectionKey> keys() {
        requireOpen();
        return keysSeen;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        requireOpen();
        return selectedSeen;
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, @Nullable Object attachment) {
        requireOpen();
        RdmaKey key = new RdmaKey(this, channel, stack, ops);
        key.attach(attachment);
        if (channel instanceof ReadyChannel ours) {
            keys.add(key);
            ours.addKey(key);
            key.changed();
        } else if (channel.provider().equals(inner.provider())) {
            mixed = true;
            try {
                key.follow(channel, inner);
            } catch (IOException e) { // ClosedChannelException: the contract of this method has no other answer
                throw new IllegalSelectorException();
            }
            keys.add(key);
        } else {
            throw new IllegalSelectorException();
        }
        if (!isOpen()) {
            removed(key);
            keys.remove(key);
            throw new ClosedSelectorException();
        }
        return key;
    }

    @Override
    public int selectNow() throws IOException {
        return lockAndSelect(null, 0);
    }

    @Override
    public int select(long timeout) throws IOException {
        return lockAndSelect(null, nanos(timeout));
    }

    @Override
    public int select() throws IOException {
        return lockAndSelect(null, FOR_EVER);
    }

    // The methods of Selector that these override go by way of the selected keys, and clear them.

    @Override
    public int selectNow(Consumer<SelectionKey> action) throws IOException {
        return lockAndSelect(Objects.requireNonNull(action), 0);
    }

    @Override
    public int select(Consumer<SelectionKey> action, long timeout) throws IOException {
        return lockAndSelect(Objects.requireNonNull(action), nanos(timeout));
    }

    @Override
    public int select(Consumer<SelectionKey> action) throws IOException {
        return lockAndSelect(Objects.requireNonNull(action), FOR_EVER);
    }

    private static long nanos(long timeout) {
        if (timeout < 0) {
            throw new IllegalArgumentException("Negative timeout");
        }
        return timeout == 0 ? FOR_EVER : TimeUnit.MILLISECONDS.toNanos(timeout);
    }

    /**
     * Selects; waits {@code nanos} at most, for ever if negative. A close meanwhile ends it as a wakeup does.
     *
     * @param action what is done with the keys in place of selecting them; null to select them
     */
    private int lockAndSelect(@Nullable Consumer<SelectionKey> action, long nanos) throws IOException {
        synchronized (this) {
            requireOpen();
            if (selecting) {
                throw new IllegalStateException("select in progress");
            }
            selecting = true;
            try {
                synchronized (selectedSeen) {
                    acts = action != null;
                    doSelect(nanos);
                    return action == null ? updated : act(action);
                }
            } finally {
                acted.clear();
                selecting = false;
            }
        }
    }

    private void doSelect(long nanos) throws IOException {
        removeCancelled();
        long deadline = nanos > 0 ? System.nanoTime() + nanos : 0;
        any = false;
        updated = 0;
        if (nanos != 0 && spinNanos > 0) {
            poll(nanos < 0 ? spinNanos : Math.min(spinNanos, nanos));
        }
        boolean end = any;
        if (end && mixed) {
            inner.selectNow(found);
        }
        while (!end) {
            end = selectOnce(nanos > 0 ? Math.max(0, deadline - System.nanoTime()) : nanos);
        }
        sleep.forgetWakeup();
        removeCancelled();
    }

    /** Has {@code action} done with the keys that are ready; it may select none, and may close this. */
    private int act(Consumer<SelectionKey> action) {
        int count = 0;
        for (RdmaKey each : acted) {
            count++;
            action.accept(each);
            requireOpen();
        }
        return count;
    }

    /**
     * Looks at all that may be ready and sleeps for {@code nanos} if nothing is; true if the selection is at its end.
     */
    private boolean selectOnce(long nanos) throws IOException {
        collect(nanos == 0);
        boolean end = nanos == 0 || isOver();
        if (!end && stack.fallAsleep()) {
            sleep(nanos);
        } else if (mixed) {
            inner.selectNow(found);
        }
        return end || any;
    }

    /** Tells whether there is no reason to wait. */
    private boolean isOver() {
        return any || sleep.isWoken() || Thread.currentThread().isInterrupted();
    }

    /**
     * Looks again and again, for {@code nanos} at most, at keys that were ready not long ago, if there are any, and at
     * all that may be ready meanwhile.
     */
    private void poll(long nanos) throws IOException {
        collect(true);
        long begun = System.nanoTime();
        while (!isOver() && !stack.isEmpty() && System.nanoTime() - begun < nanos) {
            for (int i = 0; i < POLLS_A_CLOCK && !isOver(); i++) {
                Thread.onSpinWait();
                collect(true);
            }
            if (mixed && !isOver()) {
                inner.selectNow(found);
            }
        }
    }

    private void sleep(long nanos) throws IOException {
        try {
            if (mixed || !hasDriven(nanos)) {
                sleep.sleep(nanos, found);
            }
        } finally {
            stack.awake();
        }
    }

    private boolean hasDriven(long nanos) {
        begin(); // the JDK's selector does so by itself
        try {
            return sleep.hasDriven(nanos);
        } finally {
            end();
        }
    }

    /**
     * Looks at our channels that may be ready. Of those that are not but were not long ago, some are kept to be looked
     * at again if they are {@code polled}; the others say when they may be.
     */
    private void collect(boolean polled) {
        int room = polled ? MOST_POLLED : 0;
        ReadyStack.Entry<RdmaKey> entry = stack.takeAll();
        while (entry != null) {
            ReadyStack.Entry<RdmaKey> next = entry.release();
            RdmaKey key = entry.value();
            if (key.isValid() && key.channel() instanceof ReadyChannel channel) {
                if (isReady(key, channel)) {
                    stack.keep(entry); // it is ready until it is found not to be
                } else if (room > 0 && key.wasReadyLately()) {
                    room--;
                    stack.keep(entry);
                } else {
                    sleep.follow(channel.driver());
                    if (channel.arm() && isReady(key, channel)) {
                        stack.keep(entry);
                    }
                }
            }
            entry = next;
        }
    }

    /** Looks at {@code channel}, and selects {@code key} if it is ready. */
    private boolean isReady(RdmaKey key, ReadyChannel channel) {
        int ready = channel.ready(key.interest());
        follow(key, channel.plain());
        if (ready == 0) {
            return false;
        }
        key.foundReady();
        select(key, ready);
        return true;
    }

    /** Has the JDK's selector look at {@code plain}, if {@code key} is of a channel that has become that. */
    private void follow(RdmaKey key, @Nullable SelectableChannel plain) {
        if (plain == null) {
            return;
        }
        mixed = true;
        try {
            key.follow(plain, inner);
        } catch (ClosedChannelException | CancelledKeyException | IllegalBlockingModeException e) {
            // Another thread has closed it or cancelled the key meanwhile, which goes with the cancelled keys.
        }
    }

    /** Takes a key that the JDK's selector has found ready. */
    private void found(SelectionKey theirs) {
        if (theirs.attachment() instanceof RdmaKey key && key.isValid()) {
            try {
                select(key, theirs.readyOps() & key.interest());
            } catch (CancelledKeyException e) {
                // Another thread has cancelled it meanwhile: it goes with the cancelled keys.
            }
        }
    }

    private void select(RdmaKey key, int ready) {
        if (ready == 0) {
            return;
        }
        any = true;
        if (acts) {
            // The same key may be found by both sides of its channel.
            boolean first = acted.add(key);
            key.ready(first ? ready : key.found() | ready);
        } else if (selected.add(key)) {
            key.ready(ready);
            updated++;
        } else if (key.ready(key.found() | ready)) {
            updated++;
        }
    }

    private void removeCancelled() throws IOException {
        boolean theirs = false;
        Set<SelectionKey> cancelled = cancelledKeys();
        synchronized (cancelled) {
            if (cancelled.isEmpty()) {
                return;
            }
            for (Iterator<SelectionKey> all = cancelled.iterator(); all.hasNext(); ) {
                RdmaKey key = (RdmaKey) all.next();
                all.remove();
                keys.remove(key);
                selected.remove(key);
                theirs |= key.delegate() != null;
                removed(key);
            }
        }
        if (theirs) {
            inner.selectNow(each -> {}); // which lets go of theirs
        }
    }

    private void removed(RdmaKey key) {
        if (key.channel() instanceof ReadyChannel ours) {
            ours.removeKey(key);
        }
        SelectionKey delegate = key.delegate();
        if (delegate != null) {
            delegate.cancel();
        }
        deregister((AbstractSelectionKey) key);
    }

    @Override
    public Selector wakeup() {
        sleep.wakeup();
        return this;
    }

    @Override
    protected void implCloseSelector() throws IOException {
        wakeup();
        synchronized (this) {
            synchronized (selectedSeen) {
                for (SelectionKey each : keys) {
                    removed((RdmaKey) each);
                }
                keys.clear();
                selected.clear();
                inner.close();
            }
        }
    }
}
