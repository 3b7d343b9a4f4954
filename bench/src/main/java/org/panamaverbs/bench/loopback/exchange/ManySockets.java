package org.panamaverbs.bench.loopback.exchange;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The floor among many connections: each side has a selector with all its sockets, and asks it again and again. */
public final class ManySockets implements Exchange {
    private static final int SIZE = 64;

    private final List<TcpPair> pairs = new ArrayList<>();
    private final int idle;
    private final End here = new End();
    private final End there = new End();
    private final ByteBuffer request = ByteBuffer.allocateDirect(SIZE);
    private final Patience patience = new Patience();
    private final PeerThread peer;
    private int next;

    /** One side: what it has read of a socket that its selector has named. */
    private static final class End implements AutoCloseable {
        private final Selector selector = Selector.open();
        private final ByteBuffer received = ByteBuffer.allocateDirect(SIZE);
        // Made once: a method reference for each call would be an object for each call.
        private final Consumer<SelectionKey> reading = this::read;
        private @Nullable SocketChannel last;
        private @Nullable IOException failure;

        End() throws IOException {}

        void read(SelectionKey key) {
            last = (SocketChannel) key.channel();
            try {
                TcpPair.read(last, received);
            } catch (IOException e) {
                failure = e;
            }
        }

        /** Returns whether a whole message has come. */
        boolean hasReceived() throws IOException {
            selector.selectNow(reading);
            if (failure != null) {
                throw failure;
            }
            if (received.hasRemaining()) {
                return false;
            }
            received.clear();
            return true;
        }

        /** Sends the last message back; 64 bytes fit into a socket whose peer has read all before. */
        void echo() throws IOException {
            requireNonNull(last, "a message has come").write(received);
            received.clear();
        }

        @Override
        public void close() throws IOException {
            selector.close();
        }
    }

    /** Connects {@code idle} and then {@code active} times. */
    public ManySockets(int idle, int active) throws IOException {
        this.idle = idle;
        try (ServerSocketChannel server = TcpPair.listen()) {
            for (int i = 0; i < idle + active; i++) {
                TcpPair pair = TcpPair.connect(server);
                pairs.add(pair);
                pair.here().register(here.selector, SelectionKey.OP_READ);
                pair.there().register(there.selector, SelectionKey.OP_READ);
            }
        }
        peer = PeerThread.start(this::answer);
    }

    private boolean answer() throws IOException {
        if (!there.hasReceived()) {
            return false;
        }
        there.echo();
        return true;
    }

    @Override
    public void run() throws IOException {
        SocketChannel socket = pairs.get(idle + next).here();
        next = idle + next + 1 == pairs.size() ? 0 : next + 1;
        socket.write(request.clear());
        patience.renew();
        while (!here.hasReceived()) {
            patience.await(peer);
        }
    }

    @Override
    public void close() throws IOException {
        peer.close();
        for (TcpPair pair : pairs) {
            pair.close();
        }
        here.close();
        there.close();
    }
}
