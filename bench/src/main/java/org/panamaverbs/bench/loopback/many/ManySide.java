package org.panamaverbs.bench.loopback.many;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.bench.loopback.exchange.Side;
import org.panamaverbs.bench.loopback.process.End;
import org.panamaverbs.bench.loopback.process.SpinningEnd;

/** A process with one side of many connections, most of them idle: Sends on one active connection after the other. */
public final class ManySide extends SpinningEnd {
    private final Side side;
    private final List<Connection> connections = new ArrayList<>();
    private final ActiveEnds ends;

    private ManySide(int idle, int active, int port) {
        OpenConfig config = OpenConfig.provider("iwarp").with("shm", "off").with("progress", "spin");
        side = Side.open(config, ActiveEnds.completions(active), ActiveEnds.bytes(active));
        if (port == 0) {
            try (Listener listener = side.listen()) {
                End.listening(listener.localAddress().getPort());
                connect(idle + active, () -> side.accept(listener, ActiveEnds.DEPTH));
            }
        } else {
            connect(idle + active, () -> side.connect(port, ActiveEnds.DEPTH));
        }
        ends = new ActiveEnds(
                side,
                connections.subList(idle, idle + active).stream()
                        .map(Connection::queuePair)
                        .toList());
    }

    /**
     * Runs one side.
     *
     * @param arguments how many connections are idle and how many active, and the peer's port if this is the side that
     *     connects
     */
    public static void main(String[] arguments) throws Exception {
        int port = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 0;
        try (ManySide side = new ManySide(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), port)) {
            End.obey(side);
        }
    }

    private void connect(int count, Supplier<Connection> connecting) {
        for (int i = 0; i < count; i++) {
            connections.add(connecting.get());
        }
    }

    @Override
    protected boolean answer(boolean polls) {
        return ends.answer();
    }

    @Override
    protected void ask() {
        ends.sendNext();
    }

    @Override
    protected boolean hasCome(boolean polls) {
        return ends.hasReceived();
    }

    @Override
    public void close() {
        rest();
        connections.forEach(Connection::close);
        side.close();
    }
}
