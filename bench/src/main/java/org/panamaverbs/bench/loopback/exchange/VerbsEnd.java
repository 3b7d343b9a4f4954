package org.panamaverbs.bench.loopback.exchange;

import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.cm.Listener;

/** A process's side of connections of which some may be idle: Sends on one active connection after the other. */
public final class VerbsEnd extends SpinningEnd {
    private final Side side;
    private final MessageEnd messages;

    /** Connects {@code idle} and then {@code active} times to {@code port}; listens and accepts if that is 0. */
    public VerbsEnd(OpenConfig config, int idle, int active, int port) {
        side = Side.open(config, MessageEnd.completions(active), MessageEnd.bytes(active, MESSAGE_BYTES));
        if (port == 0) {
            try (Listener listener = side.listen()) {
                End.listening(listener.localAddress().getPort());
                for (int i = 0; i < idle + active; i++) {
                    side.accept(listener, side.queuePairs(MessageEnd.DEPTH));
                }
            }
        } else {
            for (int i = 0; i < idle + active; i++) {
                side.connect(port, side.queuePairs(MessageEnd.DEPTH));
            }
        }
        messages = new MessageEnd(side, idle, MESSAGE_BYTES);
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
        side.close();
    }

    /**
     * Runs one side of many connections over TCP, most of them idle, in a process of its own.
     *
     * @param arguments how many connections are idle and how many active, and the peer's port if this is the side that
     *     connects
     */
    public static void main(String[] arguments) throws Exception {
        OpenConfig config = OpenConfig.provider("iwarp").with("shm", "off").with("progress", "spin");
        int port = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 0;
        try (End end = new VerbsEnd(config, Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), port)) {
            End.obey(end);
        }
    }
}
