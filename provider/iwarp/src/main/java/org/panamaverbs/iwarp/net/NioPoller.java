package org.panamaverbs.iwarp.net;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.function.Consumer;
import org.panamaverbs.spi.support.DeferredLog;

/** Waits by a selector. */
final class NioPoller implements Poller {
    private Consumer<Watch> sink = watch -> {};
    private final Consumer<SelectionKey> forward = this::forward;
    // Made last: nobody would close it if there were no memory for what follows.
    private final Selector selector = NioSockets.jdk().openSelector();
    // Guarded by this.
    private boolean closed;

    NioPoller() throws IOException {}

    /**
     * The watch of one channel: its key with the owner's attachment. Other threads may close the channel at any time,
     * which is their right: then nothing is waited for any more.
     */
    private static final class Registration implements Watch {
        private final SelectionKey key;
        private volatile Object attachment;

        Registration(SelectionKey key, Object attachment) {
            this.key = key;
            this.attachment = attachment;
        }

        // Before a connection stands, room to write is the end of the attempt.
        static int operations(SelectableChannel channel, int interest) {
            boolean connecting = channel instanceof SocketChannel socket && !socket.isConnected();
            int read = channel instanceof ServerSocketChannel ? SelectionKey.OP_ACCEPT : SelectionKey.OP_READ;
            int write = connecting ? SelectionKey.OP_CONNECT : SelectionKey.OP_WRITE;
            return ((interest & READ) == 0 || connecting ? 0 : read) | ((interest & WRITE) == 0 ? 0 : write);
        }

        @Override
        public int interest() {
            int operations = operations();
            return ((operations & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT)) == 0 ? 0 : READ)
                    | ((operations & (SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT)) == 0 ? 0 : WRITE);
        }

        private int operations() {
            try {
                return key.interestOps();
            } catch (CancelledKeyException e) {
                return 0;
            }
        }

        @Override
        public void interest(int operations) {
            try {
                key.interestOps(operations(key.channel(), operations));
            } catch (CancelledKeyException e) {
                // There is nothing left to wait for.
            }
        }

        @Override
        public boolean isWritable() {
            try {
                return key.isWritable();
            } catch (CancelledKeyException e) {
                return false;
            }
        }

        @Override
        public void cancel() {
            key.cancel();
        }

        @Override
        public Object attachment() {
            return attachment;
        }

        @Override
        public void attach(Object other) {
            attachment = other;
        }
    }

    @Override
    public Watch register(Pollable channel, int interest, Object attachment) throws IOException {
        SelectableChannel nio = ((NioChannel) channel).channel();
        SelectionKey key = key(nio);
        Registration registration = new Registration(key, attachment);
        key.attach(registration);
        registration.interest(interest);
        return registration;
    }

    // Before the poller is closed, which then finds the key, or not at all.
    private synchronized SelectionKey key(SelectableChannel channel) throws IOException {
        if (closed) {
            throw new IOException("the poller is closed");
        }
        return channel.register(selector, 0);
    }

    @Override
    public void select(Consumer<Watch> ready, long millis) throws IOException {
        sink = ready;
        if (millis == 0) {
            selector.selectNow(forward);
        } else {
            selector.select(forward, millis == FOREVER ? 0 : millis);
        }
    }

    private void forward(SelectionKey key) {
        sink.accept((Watch) key.attachment());
    }

    @Override
    public void wakeup() {
        selector.wakeup();
    }

    @Override
    public boolean isDeferring() {
        return true;
    }

    @Override
    public void forEach(Consumer<Watch> action) {
        for (SelectionKey key : List.copyOf(selector.keys())) {
            if (key.attachment() instanceof Watch watch) {
                action.accept(watch);
            }
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        try {
            for (SelectionKey key : selector.keys()) {
                NioChannel.close(key.channel());
            }
        } finally {
            closeSelector();
        }
    }

    private void closeSelector() {
        try {
            selector.close();
        } catch (IOException e) {
            DeferredLog.log(NioPoller.class, System.Logger.Level.DEBUG, "the selector did not close cleanly", e);
        }
    }
}
