package org.panamaverbs.channel;

/**
 * Takes messages from the other end of a channel, in their order, in the memory where they lie. For the thread of the
 * group.
 */
public final class Subscriber {
    private final Channel channel;

    Subscriber(Channel channel) {
        this.channel = channel;
    }

    /**
     * Hands the messages that are there to {@code handler}, without waiting, and does all other work of the group.
     * Allocates nothing.
     *
     * @param handler takes each message
     * @param limit messages at most, from 1
     * @return the number of messages taken
     * @throws IllegalStateException if the handler polls the channel whose message it takes
     */
    public int poll(MessageHandler handler, int limit) {
        channel.progress();
        return channel.deliver(handler, limit);
    }

    /**
     * Keeps the memory of the message that a handler is taking until {@link #release}. The publisher is back-pressured
     * by what it cannot overwrite: the window counts from the oldest kept message on. Up to
     * {@link ChannelConfig#receives} messages can be kept; the next poll hands out none beyond. With {@link Way#SENDS}
     * a message that fits a receive also holds the one that it lies in, and the publisher can use three quarters of
     * them.
     *
     * @return the position after the message, which names it in {@link #release}
     * @throws IllegalStateException if no handler of this channel is running
     */
    public long keep() {
        return channel.keep();
    }

    /**
     * Gives back the memory of a kept message, in any order, also in the handler that keeps it. It must not be read any
     * more, in that handler once it has returned.
     *
     * @param position what {@link #keep} returned
     * @throws IllegalArgumentException if no such message is kept
     */
    public void release(long position) {
        channel.release(position);
    }

    /** Returns the position behind the last message taken. */
    public long position() {
        return channel.inbound().position();
    }

    /** Returns whether the publisher has ended the stream and everything was taken. */
    public boolean isEnded() {
        return channel.isEnded();
    }

    /** Returns whether nothing comes any more: the channel is not open, and everything that arrived was taken. */
    public boolean isClosed() {
        return switch (channel.state()) {
            case OPEN -> false;
            case LOST -> !channel.inbound().hasFrames();
            case ENDED, CLOSED -> true;
        };
    }
}
