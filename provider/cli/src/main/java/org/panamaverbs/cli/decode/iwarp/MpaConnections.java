package org.panamaverbs.cli.decode.iwarp;

import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.panamaverbs.cli.decode.tcp.Budget;
import org.panamaverbs.cli.decode.tcp.Conversation;
import org.panamaverbs.cli.decode.tcp.Endpoint;
import org.panamaverbs.iwarp.wire.Crc32c;

/** All connections of a capture: makes of each what iWARP there is in it. */
public final class MpaConnections implements Conversation.Factory {
    private final Assumption assumption;
    private final Consumer<Event> output;
    private final IntSupplier numbers;
    private final Budget budget;
    // One for all, since it has a scratch buffer that many connections would make many of.
    private final Crc32c crc = new Crc32c();

    /**
     * Makes one.
     *
     * @param output gets what is found
     * @param numbers numbers the connections that are iWARP
     * @param budget for what is not yet whole
     */
    public MpaConnections(Assumption assumption, Consumer<Event> output, IntSupplier numbers, Budget budget) {
        this.assumption = assumption;
        this.output = output;
        this.numbers = numbers;
        this.budget = budget;
    }

    @Override
    public Conversation met(Endpoint opener, Endpoint other) {
        return new MpaConnection(opener, other, this);
    }

    Assumption assumption() {
        return assumption;
    }

    Budget budget() {
        return budget;
    }

    Crc32c crc() {
        return crc;
    }

    void emit(Event event) {
        output.accept(event);
    }

    int nextNumber() {
        return numbers.getAsInt();
    }
}
