package org.panamaverbs.bench.loopback.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.Listener;

/** A process's side of connections of which some may be idle: Sends on one active connection after the other. */
public final class VerbsEnd extends SpinningEnd {
    private final Side side;
    private final List<Connection> connections = new ArrayList<>();
    private final MessageEnd messages;

    /** Connects {@code idle} and then {@code active} times to {@code port}; listens and accepts if that is 0. */
    public VerbsEnd(OpenConfig config, int idle, int active, int port) {
        side = Side.open(config, MessageEnd.completions(active), MessageEnd.bytes(active, MESSAGE_BYTES));
        if (port == 0) {
            try (Listener listener = side.listen()) {
                End.listening(listener.localAddress().getPort());
                connect(idle + active, () -> side.accept(listener, side.queuePairs(MessageEnd.DEPTH)));
            }
        } else {
            connect(idle + active, () -> side.connect(port, side.queuePairs(MessageEnd.DEPTH)));
        }
        messages = new MessageEnd(
                side,
                connections.subList(idle, idle + active).stream()
                        .map(Connection::queuePair)
                        .toList(),
                MESSAGE_BYTES);
    }

    private void connect(int count, Supplier<Connection> connecting) {
        for (int i = 0; i < count; i++) {
            connections.add(connecting.get());
        }
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
        connections.forEach(Connection::close);
        side.close();
    }
}
