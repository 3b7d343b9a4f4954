package org.panamaverbs.bench.sockets;

import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.bench.loopback.exchange.MessageEnd;
import org.panamaverbs.bench.loopback.exchange.Side;
import org.panamaverbs.bench.loopback.process.End;
import org.panamaverbs.bench.loopback.process.SpinningEnd;

/** Round trips of Sends by the verbs that the sockets stand on, of a device with the same options; always polled. */
final class VerbsEnd extends SpinningEnd {
    private static final int DEPTH = 8;
    private final Side side = Side.open(OpenConfig.provider("iwarp"), 4 * DEPTH, 2L * MESSAGE_BYTES);
    private final Connection connection;
    private final MessageEnd messages;

    /** Listens, and accepts. */
    VerbsEnd() {
        try (Listener listener = side.listen()) {
            End.listening(listener.localAddress().getPort());
            connection = side.accept(listener, DEPTH);
        }
        messages = new MessageEnd(side, connection.queuePair(), MESSAGE_BYTES);
    }

    /** Connects. */
    VerbsEnd(int port) {
        connection = side.connect(port, DEPTH);
        messages = new MessageEnd(side, connection.queuePair(), MESSAGE_BYTES);
    }

    @Override
    protected boolean answer(boolean polls) {
        return messages.answer();
    }

    @Override
    protected void ask() {
        messages.send();
    }

    @Override
    protected boolean hasCome(boolean polls) {
        return messages.hasReceived();
    }

    @Override
    public void close() {
        rest();
        connection.close();
        side.close();
    }
}
