package org.panamaverbs.cli.demo.exercise;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.api.SendFlag.SOLICITED;
import static org.panamaverbs.cli.demo.exercise.Endpoint.DATA_RECEIVE;
import static org.panamaverbs.cli.demo.exercise.Endpoint.WORK;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.memory.RemoteBuffer;

/** Immediate Data as a message of its own. */
record ImmediateExercise(String title, boolean solicited) implements Exercise {
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
        long immediate = Immediate.of(initiator.capabilities(), seed);
        return initiator.queuePair().immediate(WORK, immediate, SIGNALED | (solicited ? SOLICITED : 0));
    }

    @Override
    public @Nullable String verify(Endpoint responder, @Nullable RemoteBuffer offered, long seed) {
        Arrival arrival = responder.await(DATA_RECEIVE);
        if (arrival.opcode() != WcOpcode.RECV_IMMEDIATE) {
            return arrival.opcode() + " arrived";
        }
        String difference = Immediate.difference(responder.capabilities(), arrival, seed);
        return difference != null ? difference : responder.solicitedEventDifference(solicited);
    }
}
