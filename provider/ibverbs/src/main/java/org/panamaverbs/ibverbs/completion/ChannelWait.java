package org.panamaverbs.ibverbs.completion;

import java.util.Arrays;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.ibverbs.call.EventPoll;
import org.panamaverbs.ibverbs.call.PlatformThread;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.support.EventWait;

/**
 * How event queues wait: for the descriptors of the completion channels among their members, and for what the other
 * members say, which is a signal. Virtual threads wait on a platform thread.
 */
public final class ChannelWait implements EventWait {
    private static final int FEW = 64;

    private final EventPoll poll;
    // By descriptor. Written under this object's lock.
    private volatile @Nullable IbvCompletionChannel[] channels = new IbvCompletionChannel[FEW];
    // Who tells the members of their descriptors, and need not be woken up.
    private volatile @Nullable Thread telling;

    private ChannelWait(EventPoll poll) {
        this.poll = poll;
    }

    /**
     * Opens a wait for nothing.
     *
     * @throws org.panamaverbs.api.ResourceException if there are too many open files
     */
    public static ChannelWait open() {
        return new ChannelWait(EventPoll.open());
    }

    @Override
    public void await(BooleanSupplier done, Deadline deadline) throws InterruptedException {
        while (!done.getAsBoolean()) {
            boolean virtual = Thread.currentThread().isVirtual();
            tell(virtual ? PlatformThread.call(() -> poll.await(deadline)) : poll.await(deadline));
            if (deadline.passed()) {
                return;
            }
        }
    }

    @Override
    public void look() {
        tell(poll.look());
    }

    private void tell(int count) {
        if (count == 0) {
            return;
        }
        telling = Thread.currentThread();
        try {
            @Nullable IbvCompletionChannel[] known = channels;
            for (int i = 0; i < count; i++) {
                int fd = poll.readable(i);
                IbvCompletionChannel channel = fd < known.length ? known[fd] : null;
                if (channel != null) {
                    if (channel.isLost()) {
                        poll.remove(fd); // it stays readable for ever, and has nothing
                    }
                    channel.readiness().changed();
                }
            }
        } finally {
            telling = null;
        }
    }

    @Override
    public void wake() {
        if (!Thread.currentThread().equals(telling)) {
            poll.signal();
        }
    }

    @Override
    public boolean servesAllDevices() {
        return true;
    }

    @Override
    public synchronized void added(EventMember member) {
        if (member instanceof IbvCompletionChannel channel) {
            int fd = channel.watchedDescriptor();
            @Nullable IbvCompletionChannel[] known = channels;
            if (fd >= known.length) {
                known = Arrays.copyOf(known, Math.max(fd + 1, 2 * known.length));
                channels = known;
            }
            known[fd] = channel;
            poll.add(fd);
        }
    }

    @Override
    public synchronized void removed(EventMember member) {
        if (member instanceof IbvCompletionChannel channel) {
            int fd = channel.watchedDescriptor();
            if (fd < channels.length && channels[fd] == channel) {
                channels[fd] = null;
                poll.remove(fd);
            }
        }
    }

    @Override
    public OptionalInt fileDescriptor() {
        return OptionalInt.of(poll.fileDescriptor());
    }

    @Override
    public void close() {
        poll.close();
    }
}
