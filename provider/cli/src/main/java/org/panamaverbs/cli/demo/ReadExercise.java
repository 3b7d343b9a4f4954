package org.panamaverbs.cli.demo;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.cli.demo.Endpoint.PAYLOAD;
import static org.panamaverbs.cli.demo.Endpoint.WORK;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.memory.RemoteBuffer;

/** An RDMA Read: the initiator checks what it got, the responder that its memory is as it was. */
record ReadExercise(String title, long bytes) implements Exercise {
    @Override
    public boolean supported(Capabilities capabilities) {
        return true;
    }

    @Override
    public @Nullable RemoteBuffer prepare(Endpoint responder, long seed) {
        responder.blankPayload(bytes);
        responder.fillPayload(bytes, seed);
        return null;
    }

    @Override
    public void load(Endpoint initiator, RemoteBuffer target, long seed) {
        initiator.blankPayload(bytes);
    }

    @Override
    public int post(Endpoint initiator, RemoteBuffer target, long seed) {
        return initiator.queuePair().read(WORK, initiator.data(), PAYLOAD, bytes, target, PAYLOAD, SIGNALED);
    }

    @Override
    public @Nullable String check(Endpoint initiator, Arrival completion, long seed) {
        if (completion.byteCount() != bytes) {
            return completion.byteCount() + " bytes were read";
        }
        return initiator.payloadDifference(bytes, seed);
    }

    @Override
    public @Nullable String verify(Endpoint responder, @Nullable RemoteBuffer offered, long seed) {
        return responder.payloadDifference(bytes, seed);
    }
}
