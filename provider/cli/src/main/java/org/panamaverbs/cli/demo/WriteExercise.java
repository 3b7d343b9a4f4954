package org.panamaverbs.cli.demo;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.cli.demo.Endpoint.DATA_RECEIVE;
import static org.panamaverbs.cli.demo.Endpoint.PAYLOAD;
import static org.panamaverbs.cli.demo.Endpoint.WORK;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * An RDMA Write: the responder checks its memory, and the immediate data if there is any.
 *
 * @param title what the table calls it
 * @param bytes bytes written
 * @param form where the data is
 * @param immediate true for a Write with immediate data; only from a buffer
 */
record WriteExercise(String title, long bytes, Form form, boolean immediate) implements Exercise {
    private static final int PIECES = 3;

    static WriteExercise plain(String title, long bytes) {
        return new WriteExercise(title, bytes, Form.BUFFER, false);
    }

    @Override
    public boolean supported(Capabilities capabilities) {
        return form.supported(capabilities, bytes) && (!immediate || capabilities.has(Feature.WRITE_WITH_IMMEDIATE));
    }

    @Override
    public @Nullable RemoteBuffer prepare(Endpoint responder, long seed) {
        responder.blankPayload(bytes);
        if (immediate) {
            responder.postDataReceive(0, 0);
        }
        return null;
    }

    @Override
    public void load(Endpoint initiator, RemoteBuffer target, long seed) {
        form.load(initiator, bytes, seed);
    }

    @Override
    public int post(Endpoint initiator, RemoteBuffer target, long seed) {
        QueuePair queuePair = initiator.queuePair();
        if (immediate) {
            long value = ImmediateExercise.value(initiator.capabilities(), seed);
            return queuePair.writeWithImmediate(
                    WORK, initiator.data(), PAYLOAD, bytes, target, PAYLOAD, value, SIGNALED);
        }
        return switch (form) {
            case BUFFER -> queuePair.write(WORK, initiator.data(), PAYLOAD, bytes, target, PAYLOAD, SIGNALED);
            case INLINE -> queuePair.writeInline(WORK, initiator.heap(), 0, bytes, target, PAYLOAD, SIGNALED);
            case GATHERED -> queuePair.write(WORK, initiator.cutPayload(bytes, PIECES), target, PAYLOAD, SIGNALED);
        };
    }

    @Override
    public @Nullable String verify(Endpoint responder, @Nullable RemoteBuffer offered, long seed) {
        if (immediate) {
            Arrival arrival = responder.await(DATA_RECEIVE);
            if (arrival.opcode() != WcOpcode.RECV_IMMEDIATE) {
                return arrival.opcode() + " arrived";
            }
            String difference = ImmediateExercise.difference(responder.capabilities(), arrival, seed);
            if (difference != null) {
                return difference;
            }
        }
        return responder.payloadDifference(bytes, seed);
    }
}
