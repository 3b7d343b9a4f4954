package org.panamaverbs.cli.demo;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.api.SendFlag.SOLICITED;
import static org.panamaverbs.cli.demo.Endpoint.DATA_RECEIVE;
import static org.panamaverbs.cli.demo.Endpoint.PAYLOAD;
import static org.panamaverbs.cli.demo.Endpoint.WINDOW;
import static org.panamaverbs.cli.demo.Endpoint.WINDOW_BYTES;
import static org.panamaverbs.cli.demo.Endpoint.WORK;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * A Send of some kind: the responder checks the data, the solicited event, the invalidated STag and the immediate data.
 *
 * @param title what the table calls it
 * @param bytes bytes of the message
 * @param form where the data comes from and goes to
 * @param operation which kind of Send
 * @param solicited true with Solicited Event
 */
record SendExercise(String title, long bytes, Form form, SendOpcode operation, boolean solicited) implements Exercise {
    private static final int PIECES = 3;
    private static final int WINDOW_SALT = 77;

    static SendExercise plain(String title, long bytes) {
        return new SendExercise(title, bytes, Form.BUFFER, SendOpcode.SEND, false);
    }

    static SendExercise of(String title, long bytes, SendOpcode operation, boolean solicited) {
        return new SendExercise(title, bytes, Form.BUFFER, operation, solicited);
    }

    @Override
    public boolean supported(Capabilities capabilities) {
        return form.supported(capabilities, bytes)
                && capabilities.has(operation)
                && (operation != SendOpcode.SEND_WITH_INVALIDATE || capabilities.has(Feature.MEMORY_WINDOW_TYPE_2));
    }

    @Override
    public @Nullable RemoteBuffer prepare(Endpoint responder, long seed) {
        responder.blankPayload(bytes);
        responder.postDataReceive(bytes, form == Form.GATHERED ? PIECES - 1 : 1);
        RemoteBuffer window = null;
        if (operation == SendOpcode.SEND_WITH_INVALIDATE) {
            responder.newWindow();
            window = responder.bindNow(WINDOW, WINDOW_BYTES, Access.REMOTE_WRITE);
        }
        responder.armSolicited();
        return window;
    }

    @Override
    public void load(Endpoint initiator, RemoteBuffer target, long seed) {
        if (operation == SendOpcode.SEND_WITH_INVALIDATE) {
            // Shows that the window was open before the Send that closes it.
            initiator.fillPayload(WINDOW_BYTES, Pattern.mix(seed, WINDOW_SALT));
            initiator.writeNow(WINDOW_BYTES, target);
        }
        form.load(initiator, bytes, seed);
    }

    @Override
    public int post(Endpoint initiator, RemoteBuffer target, long seed) {
        QueuePair queuePair = initiator.queuePair();
        int flags = SIGNALED | (solicited ? SOLICITED : 0);
        long extra = ImmediateExercise.value(initiator.capabilities(), seed);
        if (operation == SendOpcode.SEND_WITH_INVALIDATE) {
            extra = Integer.toUnsignedLong(target.rkey());
        }
        return switch (form) {
            case INLINE ->
                queuePair.post(WorkRequest.of(operation)
                        .wrId(WORK)
                        .inline(initiator.heap(), 0, bytes)
                        .immediate(extra)
                        .flags(flags));
            case GATHERED ->
                queuePair.post(WorkRequest.of(operation)
                        .wrId(WORK)
                        .local(initiator.cutPayload(bytes, PIECES))
                        .immediate(extra)
                        .flags(flags));
            case BUFFER ->
                queuePair.post(WorkRequest.of(operation)
                        .wrId(WORK)
                        .local(
                                initiator.data().checkedAddress(PAYLOAD, bytes),
                                bytes,
                                initiator.data().lkey())
                        .immediate(extra)
                        .flags(flags));
        };
    }

    @Override
    public @Nullable String verify(Endpoint responder, @Nullable RemoteBuffer offered, long seed) {
        Arrival arrival = responder.await(DATA_RECEIVE);
        String difference = responder.payloadDifference(bytes, seed);
        if (arrival.opcode() != WcOpcode.RECV || arrival.byteCount() != bytes) {
            difference = arrival.opcode() + " of " + arrival.byteCount() + " bytes arrived";
        }
        if (difference == null) {
            difference = responder.solicitedEventDifference(solicited);
        }
        if (difference == null && operation == SendOpcode.SEND_WITH_INVALIDATE) {
            difference = invalidationDifference(responder, arrival, seed);
        }
        if (difference == null && operation == SendOpcode.SEND_WITH_IMMEDIATE) {
            difference = ImmediateExercise.difference(responder.capabilities(), arrival, seed);
        }
        responder.closeWindow();
        return difference;
    }

    private static @Nullable String invalidationDifference(Endpoint responder, Arrival arrival, long seed) {
        int expected = responder.window().rkey();
        if (!arrival.hasInvalidatedRkey() || arrival.invalidatedRkey() != expected) {
            return "STag 0x%08x was invalidated, expected 0x%08x".formatted(arrival.invalidatedRkey(), expected);
        }
        String difference =
                Pattern.difference(responder.data().segment(), WINDOW, WINDOW_BYTES, Pattern.mix(seed, WINDOW_SALT));
        return difference == null ? null : "Write through the window: " + difference;
    }
}
