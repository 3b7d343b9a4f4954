package org.panamaverbs.cli.decode.iwarp;

import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.panamaverbs.cli.decode.tcp.Budget;
import org.panamaverbs.cli.decode.tcp.Conversation;
import org.panamaverbs.cli.decode.tcp.Endpoint;
import org.panamaverbs.cli.decode.tcp.Link;
import org.panamaverbs.iwarp.wire.Crc32c;

/**
 * All connections of a capture: makes of each what iWARP there is in it.
 *
 * @param assumption what the user says of them
 * @param output gets what is found
 * @param numbers numbers the connections that are iWARP
 * @param budget for what is not yet whole
 * @param crc one for all, since it has a scratch buffer that many connections would make many of
 */
public record MpaConnections(
        Assumption assumption, Consumer<Event> output, IntSupplier numbers, Budget budget, Crc32c crc)
        implements Conversation.Factory {
    @Override
    public Conversation met(Endpoint opener, Endpoint other, Link link) {
        return new MpaConnection(opener, other, link.toString(), this);
    }
}
