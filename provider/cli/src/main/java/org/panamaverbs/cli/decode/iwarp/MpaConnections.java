package org.panamaverbs.cli.decode.iwarp;

import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.panamaverbs.cli.decode.tcp.Budget;
import org.panamaverbs.cli.decode.tcp.Conversation;
import org.panamaverbs.cli.decode.tcp.Endpoint;
import org.panamaverbs.cli.decode.tcp.Link;
import org.panamaverbs.iwarp.wire.mpa.Crc32c;

/** All connections of a capture: makes of each what iWARP there is in it. */
public final class MpaConnections implements Conversation.Factory {
    private final CaptureContext context;

    /**
     * Creates the factory of their conversations.
     *
     * @param output gets what is found
     * @param numbers numbers the connections that are iWARP
     * @param budget for what is not yet whole
     */
    public MpaConnections(Assumption assumption, Consumer<Event> output, IntSupplier numbers, Budget budget) {
        context = new CaptureContext(assumption, output, numbers, budget, new Crc32c());
    }

    @Override
    public Conversation met(Endpoint opener, Endpoint other, Link link) {
        return new MpaConnection(opener, other, link.toString(), context);
    }
}
