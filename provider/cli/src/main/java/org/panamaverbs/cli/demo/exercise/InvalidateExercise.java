package org.panamaverbs.cli.demo.exercise;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.cli.demo.exercise.Endpoint.WINDOW;
import static org.panamaverbs.cli.demo.exercise.Endpoint.WINDOW_BYTES;
import static org.panamaverbs.cli.demo.exercise.Endpoint.WORK;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * Invalidating the STag of a memory window that was bound before: the window can be bound again, under another STag,
 * and the responder reads through that.
 */
record InvalidateExercise(String title) implements Exercise {
    @Override
    public long bytes() {
        return 0;
    }

    @Override
    public boolean supported(Capabilities capabilities) {
        return capabilities.has(Feature.LOCAL_INVALIDATE) && capabilities.has(Feature.MEMORY_WINDOW_TYPE_2);
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
        initiator.bindNow(WINDOW, WINDOW_BYTES, Access.REMOTE_READ);
    }

    @Override
    public int post(Endpoint initiator, RemoteBuffer target, long seed) {
        return initiator.queuePair().localInvalidate(WORK, initiator.window().stag(), SIGNALED);
    }

    @Override
    public @Nullable String check(Endpoint initiator, Arrival completion, long seed) {
        return completion.opcode() == WcOpcode.LOCAL_INVALIDATE ? null : completion.opcode() + " completed";
    }

    @Override
    public RemoteBuffer offer(Endpoint initiator) {
        return initiator.bindNow(WINDOW, WINDOW_BYTES, Access.REMOTE_READ);
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
