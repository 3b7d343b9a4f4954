package org.panamaverbs.cli.demo;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.api.SendFlag.SOLICITED;
import static org.panamaverbs.cli.demo.Endpoint.DATA_RECEIVE;
import static org.panamaverbs.cli.demo.Endpoint.WORK;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.RemoteBuffer;

/** Immediate Data as a message of its own. */
record ImmediateExercise(String title, boolean solicited) implements Exercise {
    private static final int SALT = 99;

    @Override
    public long bytes() {
        return Long.BYTES;
    }

    @Override
    public boolean supported(Capabilities capabilities) {
        return capabilities.has(Feature.STANDALONE_IMMEDIATE);
    }

    @Override
    public @Nullable RemoteBuffer prepare(Endpoint responder, long seed) {
        responder.postDataReceive(0, 0);
        responder.armSolicited();
        return null;
    }

    @Override
    public int post(Endpoint initiator, RemoteBuffer target, long seed) {
        long immediate = value(initiator.capabilities(), seed);
        return initiator.queuePair().immediate(WORK, immediate, SIGNALED | (solicited ? SOLICITED : 0));
    }

    @Override
    public @Nullable String verify(Endpoint responder, @Nullable RemoteBuffer offered, long seed) {
        Arrival arrival = responder.await(DATA_RECEIVE);
        if (arrival.opcode() != WcOpcode.RECV_IMMEDIATE) {
            return arrival.opcode() + " arrived";
        }
        String difference = difference(responder.capabilities(), arrival, seed);
        return difference != null ? difference : responder.solicitedEventDifference(solicited);
    }

    /** Returns what to send: as many bytes as the device carries. */
    static long value(Capabilities capabilities, long seed) {
        long value = Pattern.mix(seed, SALT);
        return capabilities.immediateBytes() >= Long.BYTES ? value : value & 0xFFFF_FFFFL;
    }

    /** Returns null if {@code arrival} brought the round's immediate data, else what differs. */
    static @Nullable String difference(Capabilities capabilities, Arrival arrival, long seed) {
        if (!arrival.hasImmediate()) {
            return "no immediate data arrived";
        }
        long expected = value(capabilities, seed);
        return arrival.immediate() == expected
                ? null
                : "immediate data 0x%x, expected 0x%x".formatted(arrival.immediate(), expected);
    }
}
