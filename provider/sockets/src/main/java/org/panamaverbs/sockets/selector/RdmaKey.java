package org.panamaverbs.sockets.selector;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectionKey;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.sockets.channel.ReadyChannel;
import org.panamaverbs.sockets.stream.StreamObserver;

/**
 * A key of one of our channels, or of one that is the JDK's or has become so, which has a key of the JDK's selector
 * besides.
 */
final class RdmaKey extends AbstractSelectionKey implements StreamObserver {
    /** How often a key that was ready is looked at without being told that it may be again. */
    private static final int MOST_VAIN_LOOKS = 10_000;

    private final Selector selector;
    private final SelectableChannel channel;
    private final ReadyStack<RdmaKey> stack;
    private final ReadyStack.Entry<RdmaKey> entry = new ReadyStack.Entry<>(this);

    /** The key of the JDK's selector, null while the channel is ours. */
    private volatile @Nullable SelectionKey delegate;

    private volatile int interest;

    /** Written by the thread that selects. */
    private volatile int ready;

    /** How often it was looked at in vain since it was found ready; of the thread that selects. */
    private int vainLooks = MOST_VAIN_LOOKS;

    RdmaKey(Selector selector, SelectableChannel channel, ReadyStack<RdmaKey> stack, int interest) {
        this.selector = selector;
        this.channel = channel;
        this.stack = stack;
        this.interest = interest;
    }

    /** Has {@code jdk} look at {@code plain} for what this key is interested in, now and later. */
    void follow(SelectableChannel plain, Selector jdk) throws ClosedChannelException {
        synchronized (this) {
            if (delegate == null) {
                delegate = plain.register(jdk, interest, this);
            }
        }
    }

    @Nullable
    SelectionKey delegate() {
        return delegate;
    }

    ReadyStack.Entry<RdmaKey> entry() {
        return entry;
    }

    /** The channel may be ready: the selector looks. */
    @Override
    public void changed() {
        if (interest != 0) {
            stack.push(entry);
        }
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public Selector selector() {
        return selector;
    }

    private void requireValid() {
        if (!isValid()) {
            throw new CancelledKeyException();
        }
    }

    @Override
    public int interestOps() {
        requireValid();
        return interest;
    }

    @Override
    public SelectionKey interestOps(int ops) {
        requireValid();
        if ((ops & ~channel.validOps()) != 0) {
            throw new IllegalArgumentException(ops + " is not within the operations " + channel.validOps());
        }
        synchronized (this) {
            SelectionKey its = delegate;
            if (its != null) {
                its.interestOps(ops);
            }
            int before = interest;
            interest = ops;
            if (channel instanceof ReadyChannel && (ops & ~before) != 0) {
                changed();
            }
        }
        return this;
    }

    @Override
    public int readyOps() {
        requireValid();
        return ready;
    }

    /** Returns what it is interested in, also if it is cancelled. */
    int interest() {
        return interest;
    }

    /** Sets what it is ready for; true if that is another than before. */
    boolean ready(int ops) {
        boolean other = ready != ops;
        ready = ops;
        return other;
    }

    /** Notes that it was found ready: it may be so again soon. */
    void foundReady() {
        vainLooks = 0;
    }

    /** Notes that it was looked at in vain; returns whether it was ready not long ago. */
    boolean wasReadyLately() {
        return vainLooks < MOST_VAIN_LOOKS && ++vainLooks < MOST_VAIN_LOOKS;
    }

    /** Returns what it was found ready for, also if it is cancelled. */
    int found() {
        return ready;
    }
}
