package org.panamaverbs.bench.sockets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Set;
import org.panamaverbs.bench.loopback.exchange.SpinningEnd;
import org.panamaverbs.bench.loopback.exchange.TcpPair;

/**
 * Round trips of the channels themselves, on one of many after the other: in a selector, or one that is read again and
 * again.
 */
final class ChannelEnd extends SpinningEnd {
    private static final long SELECT_MILLIS = 100;

    // Far from each other, so that each is as idle as the others; prime, so that all have their turn.
    private static final int STEP = 1_999;

    private final Selector selector;
    private final boolean selects;
    private final List<SocketChannel> channels;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(MESSAGE_BYTES);
    private int next;

    @SuppressWarnings("NullAway.Init") // a question is asked before its answer is looked for
    private SocketChannel asked;

    /**
     * Connects {@code connections} times to {@code port}; listens and accepts if that is 0. All are in a selector if it
     * {@code selects}.
     */
    ChannelEnd(int connections, boolean selects, int port) throws IOException {
        this.selects = selects;
        selector = Selector.open();
        channels = TcpPair.ends(connections, port);
        if (selects) {
            for (SocketChannel channel : channels) {
                channel.register(selector, SelectionKey.OP_READ);
            }
        }
    }

    @Override
    protected boolean answer(boolean polls) throws IOException {
        if (!selects) {
            SocketChannel channel = channels.getFirst();
            return hasRead(channel) && write(channel);
        }
        if (select(polls) == 0) {
            return false;
        }
        Set<SelectionKey> selected = selector.selectedKeys();
        for (SelectionKey key : selected) {
            SocketChannel channel = (SocketChannel) key.channel();
            if (hasRead(channel)) {
                write(channel);
            }
        }
        selected.clear();
        return true;
    }

    private int select(boolean polls) throws IOException {
        return polls ? selector.selectNow() : selector.select(SELECT_MILLIS);
    }

    /** Reads a message, of which the rest follows if some is there; false if there is none. */
    private boolean hasRead(SocketChannel channel) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            int count = channel.read(buffer);
            if (count < 0) {
                throw new IOException("the other side is gone");
            }
            if (buffer.position() == 0) {
                return false;
            }
        }
        return true;
    }

    private boolean write(SocketChannel channel) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        return true;
    }

    @Override
    protected void ask() throws IOException {
        asked = channels.get(next);
        next = (next + STEP) % channels.size();
        write(asked);
    }

    @Override
    protected boolean hasCome(boolean polls) throws IOException {
        if (!selects) {
            return hasRead(asked);
        }
        if (select(polls) == 0) {
            return false;
        }
        selector.selectedKeys().clear();
        return hasRead(asked);
    }

    @Override
    public void close() throws IOException {
        rest();
        selector.close();
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }
}
