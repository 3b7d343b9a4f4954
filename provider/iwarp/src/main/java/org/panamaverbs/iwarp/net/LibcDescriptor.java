package org.panamaverbs.iwarp.net;

import java.nio.channels.ClosedChannelException;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A file descriptor and its watch: once it is closed neither is used any more, as the system gives its number away. */
public abstract class LibcDescriptor implements Pollable {
    private static final int CLOSED = -1;
    private volatile int descriptor;
    // Guarded by this.
    private @Nullable Watch registration;

    /** Takes {@code descriptor} over. */
    protected LibcDescriptor(int descriptor) {
        this.descriptor = descriptor;
    }

    /** Returns the number. */
    protected final int descriptor() throws ClosedChannelException {
        int open = descriptor;
        if (open == CLOSED) {
            throw new ClosedChannelException();
        }
        return open;
    }

    /** Returns the number, negative if it is closed. */
    public final int descriptorOrNone() {
        return descriptor;
    }

    /** Has {@code watch} end with the descriptor. */
    final synchronized void watchedBy(Watch watch) {
        registration = watch;
        if (descriptor == CLOSED) {
            watch.cancel();
        }
    }

    /** Keeps nothing of {@code watch}, which is cancelled: a descriptor may live longer than who was told by it. */
    final synchronized void cancelled(Watch watch) {
        if (watch.equals(registration)) {
            registration = null;
        }
    }

    @Override
    public final boolean isOpen() {
        return descriptor != CLOSED;
    }

    /** Closes the descriptor. */
    protected final void closeDescriptor() {
        closeDescriptor(SocketCalls::close);
    }

    /** Closes the descriptor by {@code close}, once. */
    protected final synchronized void closeDescriptor(IntConsumer close) {
        int open = descriptor;
        if (open == CLOSED) {
            return;
        }
        Watch watch = registration;
        try {
            if (watch != null) {
                watch.cancel();
            }
        } finally {
            // Before: closed twice, the number could be another's by then.
            descriptor = CLOSED;
            close.accept(open);
        }
    }
}
