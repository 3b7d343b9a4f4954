package org.panamaverbs.cli.demo;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.api.SendFlag.SOLICITED;
import static org.panamaverbs.cli.demo.Endpoint.DATA_RECEIVE;
import static org.panamaverbs.cli.demo.Endpoint.PAYLOAD;
import static org.panamaverbs.cli.demo.Endpoint.WINDOW;
import static org.panamaverbs.cli.demo.Endpoint.WINDOW_BYTES;
import static org.panamaverbs.cli.demo.Endpoint.WORK;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * A Send, RDMA Write or RDMA Read, or Immediate Data as a message of its own. The responder checks its memory, and what
 * its receive says where the operation consumes one: the solicited event, the invalidated STag, the immediate data. The
 * initiator checks what it has read.
 *
 * @param title what the table calls it
 * @param bytes bytes of the message
 * @param form where the data comes from, and where a Send goes to
 * @param opcode the operation
 * @param solicited true with Solicited Event
 */
record MessageExercise(String title, long bytes, Form form, SendOpcode opcode, boolean solicited) implements Exercise {
    private static final int PIECES = 3;
    private static final int WINDOW_SALT = 77;
    private static final int IMMEDIATE_SALT = 99;

    /** Where the initiator's data is. */
    enum Form {
        /** In one piece of registered memory. */
        BUFFER,
        /** On the heap; the post copies it. */
        INLINE,
        /** In several pieces of registered memory. */
        GATHERED
    }

    static MessageExercise of(String title, long bytes, SendOpcode opcode) {
        return new MessageExercise(title, bytes, Form.BUFFER, opcode, false);
    }

    static MessageExercise of(String title, long bytes, SendOpcode opcode, Form form) {
        return new MessageExercise(title, bytes, form, opcode, false);
    }

    static MessageExercise solicited(String title, long bytes, SendOpcode opcode) {
        return new MessageExercise(title, bytes, Form.BUFFER, opcode, true);
    }

    @Override
    public boolean supported(Capabilities capabilities) {
        boolean formed = switch (form) {
            case BUFFER -> true;
            case INLINE -> capabilities.maxInlineBytes() >= bytes;
            case GATHERED -> capabilities.maxSge() >= PIECES;
        };
        return formed && capabilities.has(opcode) && (!invalidates() || capabilities.has(Feature.MEMORY_WINDOW_TYPE_2));
    }

    private boolean isSend() {
        return opcode.completion() == WcOpcode.SEND;
    }

    private boolean isRead() {
        return opcode == SendOpcode.RDMA_READ;
    }

    private boolean invalidates() {
        return opcode == SendOpcode.SEND_WITH_INVALIDATE;
    }

    private boolean takesReceive() {
        return isSend() || opcode.carriesImmediate();
    }

    /** Returns the bytes that are in memory on both sides, which immediate data is not. */
    private long payload() {
        return opcode == SendOpcode.IMMEDIATE ? 0 : bytes;
    }

    @Override
    public @Nullable RemoteBuffer prepare(Endpoint responder, long seed) {
        responder.blankPayload(payload());
        if (isRead()) {
            responder.fillPayload(bytes, seed);
        }
        RemoteBuffer window = null;
        if (takesReceive()) {
            responder.postDataReceive(isSend() ? bytes : 0, form == Form.GATHERED ? PIECES - 1 : 1);
            if (invalidates()) {
                responder.newWindow();
                window = responder.bindNow(WINDOW, WINDOW_BYTES, Access.REMOTE_WRITE);
            }
            responder.armSolicited();
        }
        return window;
    }

    @Override
    public void load(Endpoint initiator, RemoteBuffer target, long seed) {
        if (isRead()) {
            initiator.blankPayload(bytes);
            return;
        }
        if (invalidates()) {
            // Shows that the window was open before the Send that closes it.
            initiator.fillPayload(WINDOW_BYTES, Pattern.mix(seed, WINDOW_SALT));
            initiator.writeNow(WINDOW_BYTES, target);
        }
        Pattern.fill(form == Form.INLINE ? initiator.heap() : initiator.data().segment(), PAYLOAD, payload(), seed);
    }

    @Override
    public int post(Endpoint initiator, RemoteBuffer target, long seed) {
        WorkRequest request = WorkRequest.of(opcode).wrId(WORK).flags(solicited ? SIGNALED | SOLICITED : SIGNALED);
        if (opcode != SendOpcode.IMMEDIATE) {
            switch (form) {
                case BUFFER -> request.local(initiator.data(), PAYLOAD, bytes);
                case INLINE -> request.inline(initiator.heap(), 0, bytes);
                case GATHERED -> request.local(initiator.cutPayload(bytes, PIECES));
            }
        }
        if (opcode.remoteAccess() != null) {
            request.remote(target, PAYLOAD);
        }
        if (invalidates()) {
            request.invalidate(target.rkey());
        } else if (opcode.carriesImmediate()) {
            request.immediate(immediate(initiator.capabilities(), seed));
        }
        return initiator.queuePair().post(request);
    }

    @Override
    public @Nullable String check(Endpoint initiator, Arrival completion, long seed) {
        if (!isRead()) {
            return null;
        }
        return completion.byteCount() == bytes
                ? initiator.payloadDifference(bytes, seed)
                : completion.byteCount() + " bytes were read";
    }

    @Override
    public @Nullable String verify(Endpoint responder, @Nullable RemoteBuffer offered, long seed) {
        String difference = takesReceive() ? arrivalDifference(responder, seed) : null;
        return difference != null ? difference : responder.payloadDifference(payload(), seed);
    }

    private @Nullable String arrivalDifference(Endpoint responder, long seed) {
        Arrival arrival = responder.await(DATA_RECEIVE);
        if (arrival.opcode() != (isSend() ? WcOpcode.RECV : WcOpcode.RECV_IMMEDIATE)
                || (isSend() && arrival.byteCount() != bytes)) {
            return arrival.opcode() + " of " + arrival.byteCount() + " bytes arrived";
        }
        String difference = responder.solicitedEventDifference(solicited);
        if (difference == null && invalidates()) {
            difference = invalidationDifference(responder, arrival, seed);
        }
        if (difference == null && opcode.carriesImmediate()) {
            difference = immediateDifference(responder.capabilities(), arrival, seed);
        }
        return difference;
    }

    private static @Nullable String invalidationDifference(Endpoint responder, Arrival arrival, long seed) {
        int expected = responder.window().rkey();
        responder.closeWindow();
        if (!arrival.hasInvalidatedRkey() || arrival.invalidatedRkey() != expected) {
            return "STag 0x%08x was invalidated, expected 0x%08x".formatted(arrival.invalidatedRkey(), expected);
        }
        String difference =
                Pattern.difference(responder.data().segment(), WINDOW, WINDOW_BYTES, Pattern.mix(seed, WINDOW_SALT));
        return difference == null ? null : "Write through the window: " + difference;
    }

    /** Returns what to send: as many bytes as the device carries. */
    private static long immediate(Capabilities capabilities, long seed) {
        long value = Pattern.mix(seed, IMMEDIATE_SALT);
        return capabilities.immediateBytes() >= Long.BYTES ? value : value & 0xFFFF_FFFFL;
    }

    private static @Nullable String immediateDifference(Capabilities capabilities, Arrival arrival, long seed) {
        if (!arrival.hasImmediate()) {
            return "no immediate data arrived";
        }
        long expected = immediate(capabilities, seed);
        return arrival.immediate() == expected
                ? null
                : "immediate data 0x%x, expected 0x%x".formatted(arrival.immediate(), expected);
    }
}
