package org.panamaverbs.cli.demo;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.cli.demo.Endpoint.WINDOW;
import static org.panamaverbs.cli.demo.Endpoint.WINDOW_BYTES;
import static org.panamaverbs.cli.demo.Endpoint.WORK;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * Binding a memory window: the responder reads through it. Or invalidating the STag of one that was bound before: the
 * window can be bound again, under another STag, and the responder reads through that.
 *
 * @param title what the table calls it
 * @param invalidates true for the latter
 */
record WindowExercise(String title, boolean invalidates) implements Exercise {
    @Override
    public long bytes() {
        return invalidates ? 0 : WINDOW_BYTES;
    }

    @Override
    public boolean supported(Capabilities capabilities) {
        return invalidates
                ? capabilities.has(Feature.LOCAL_INVALIDATE) && capabilities.has(Feature.MEMORY_WINDOW_TYPE_2)
                : capabilities.has(Feature.MEMORY_WINDOW_TYPE_2) || capabilities.has(Feature.MEMORY_WINDOW_TYPE_1);
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
        if (invalidates) {
            initiator.bindNow(WINDOW, WINDOW_BYTES, Access.REMOTE_READ);
        }
    }

    @Override
    public int post(Endpoint initiator, RemoteBuffer target, long seed) {
        QueuePair pair = initiator.queuePair();
        MemoryWindow window = initiator.window();
        return invalidates
                ? pair.localInvalidate(WORK, window.rkey(), SIGNALED)
                : pair.bind(WORK, window, initiator.data(), WINDOW, WINDOW_BYTES, SIGNALED, Access.REMOTE_READ);
    }

    @Override
    public @Nullable String check(Endpoint initiator, Arrival completion, long seed) {
        return !invalidates || completion.opcode() == WcOpcode.LOCAL_INVALIDATE
                ? null
                : completion.opcode() + " completed";
    }

    @Override
    public RemoteBuffer offer(Endpoint initiator) {
        return invalidates
                ? initiator.bindNow(WINDOW, WINDOW_BYTES, Access.REMOTE_READ)
                : initiator.window().remote();
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
