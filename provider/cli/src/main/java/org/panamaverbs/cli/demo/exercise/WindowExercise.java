package org.panamaverbs.cli.demo.exercise;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.cli.demo.exercise.Endpoint.WINDOW;
import static org.panamaverbs.cli.demo.exercise.Endpoint.WINDOW_BYTES;
import static org.panamaverbs.cli.demo.exercise.Endpoint.WORK;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

/** Binding a memory window: the responder reads through it. */
record WindowExercise(String title) implements Exercise {
    @Override
    public long bytes() {
        return WINDOW_BYTES;
    }

    @Override
    public boolean supported(Capabilities capabilities) {
        return capabilities.has(Feature.MEMORY_WINDOW_TYPE_2) || capabilities.has(Feature.MEMORY_WINDOW_TYPE_1);
    }

    @Override
    public @Nullable RemoteBuffer prepare(Endpoint responder, long seed) {
        responder.blankPayload(WINDOW_BYTES);
        return null;
    }

    @Override
    public void load(Endpoint initiator, RemoteBuffer target, long seed) {
        Pattern.fill(initiator.data().segment(), WINDOW, WINDOW_BYTES, seed);
        initiator.newWindow();
    }

    @Override
    public int post(Endpoint initiator, RemoteBuffer target, long seed) {
        return initiator
                .queuePair()
                .bind(WORK, initiator.window(), initiator.data(), WINDOW, WINDOW_BYTES, SIGNALED, Access.REMOTE_READ);
    }

    @Override
    public RemoteBuffer offer(Endpoint initiator) {
        return initiator.window().remote();
    }

    @Override
    public @Nullable String verify(Endpoint responder, @Nullable RemoteBuffer offered, long seed) {
        if (offered == null) {
            return "the window was not advertised";
        }
        responder.readNow(WINDOW_BYTES, offered);
        return responder.payloadDifference(WINDOW_BYTES, seed);
    }
}
