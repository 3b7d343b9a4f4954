package org.panamaverbs.channel;

import org.panamaverbs.api.cm.PendingConnection;

/**
 * An attempt to connect a channel that no thread waits for. It ends by itself: with a channel, with a failure, or at
 * its deadline. For the thread of the group, which goes on polling and looks at {@link #isDone} now and then.
 */
public final class PendingChannel implements AutoCloseable {
    private final ChannelGroup group;
    private final Channel channel;
    private final PendingConnection attempt;
    private boolean over;

    PendingChannel(ChannelGroup group, Channel channel, PendingConnection attempt) {
        this.group = group;
        this.channel = channel;
        this.attempt = attempt;
    }

    /** Returns whether the attempt has ended and its result can be taken. */
    public boolean isDone() {
        return !over && attempt.isDone();
    }

    /**
     * Takes the result of an attempt that has ended, once. Messages that have arrived before are polled behind this.
     *
     * @return the channel, closed by the caller or with the group
     * @throws ChannelException if the peer is none of this release, or is configured otherwise; the attempt was undone,
     *     as where it throws one of the next
     * @throws org.panamaverbs.api.VerbsException if there is no connection, as {@link PendingConnection#take} says
     * @throws IllegalStateException if it has not ended, its result was taken, or it was closed; nothing has changed
     */
    public Channel take() {
        if (!isDone()) {
            throw new IllegalStateException("connect: the attempt "
                    + (over ? "was taken or closed; remedy: connect again" : "goes on; remedy: wait for isDone"));
        }
        end();
        return group.connected(channel, attempt::take);
    }

    private void end() {
        over = true;
        group.ended(this);
    }

    /** Aborts the attempt without waiting for the peer, unless its result was taken. */
    @Override
    public void close() {
        if (!over) {
            end();
            try {
                attempt.close();
            } finally {
                channel.close();
            }
        }
    }
}
