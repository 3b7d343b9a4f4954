package org.panamaverbs.examples.nvme.controller;

import org.panamaverbs.examples.nvme.wire.Command;
import org.panamaverbs.examples.nvme.wire.ConnectData;
import org.panamaverbs.examples.nvme.wire.Opcode;
import org.panamaverbs.examples.nvme.wire.Status;

/** The fabrics commands: Connect, and the properties of the controller. */
final class Fabrics {
    private static final int REFUSED = Status.CONNECT_PARAMETER | Status.DO_NOT_RETRY;
    // Says, in the result of a refused Connect, that the fault is in its data and not in the command.
    private static final int IN_DATA = 1 << 16;
    private static final int CONTROLLER_ID_AT = 16;
    private static final int SUBSYSTEM_AT = 256;

    private final Subsystem subsystem;

    Fabrics(Subsystem subsystem) {
        this.subsystem = subsystem;
    }

    /** Begins a command on {@code queue}; returns its status. */
    int begin(Association queue, Request request) {
        Controller controller = queue.controller();
        int type = request.command().fabricsType();
        if (type == Opcode.CONNECT) {
            return controller == null
                    ? request.moveScratch(Request.Data.FROM_HOST, ConnectData.BYTES)
                    : Status.SEQUENCE_ERROR | Status.DO_NOT_RETRY;
        }
        if (controller == null || !queue.isAdmin()) {
            return Status.SEQUENCE_ERROR | Status.DO_NOT_RETRY;
        }
        controller.heard();
        return switch (type) {
            case Opcode.PROPERTY_GET -> controller.get(request);
            case Opcode.PROPERTY_SET -> controller.set(request);
            default -> Status.INVALID_OPCODE | Status.DO_NOT_RETRY;
        };
    }

    /** Ends a Connect, whose data is here; returns its status. */
    int connect(Association queue, Request request) {
        Command command = request.command();
        int format = command.dword(10) & 0xFFFF;
        int queueId = command.dword(10) >>> 16;
        int sends = command.dword(11) & 0xFFFF;
        if (format != 0) {
            return Status.CONNECT_FORMAT | Status.DO_NOT_RETRY;
        }
        // What the command says has to be what the connection was set up for. One more is let pass, as by Linux: jNVMf
        // does not count from 0 here.
        if (queueId != queue.queueId() || sends == 0 || sends > queue.depth()) {
            return REFUSED;
        }
        ConnectData data = ConnectData.decode(request.scratch(), 0);
        if (!data.subsystem().equals(subsystem.name())) {
            request.answer(IN_DATA | SUBSYSTEM_AT);
            return REFUSED;
        }
        return queue.isAdmin() ? connectAdmin(queue, request, data) : connectIo(queue, request, data);
    }

    private int connectAdmin(Association queue, Request request, ConnectData data) {
        if (data.controllerId() != ConnectData.ANY_CONTROLLER) {
            request.answer(IN_DATA | CONTROLLER_ID_AT);
            return REFUSED;
        }
        Controller controller = subsystem.create(data, request.command().dword(12));
        if (controller == null) {
            return Status.CONNECT_BUSY;
        }
        queue.connected(controller);
        return request.answer(controller.id());
    }

    private int connectIo(Association queue, Request request, ConnectData data) {
        Controller controller = subsystem.find(data);
        if (controller == null) {
            request.answer(IN_DATA | CONTROLLER_ID_AT);
            return REFUSED;
        }
        if (!controller.isReady()) {
            return Status.SEQUENCE_ERROR | Status.DO_NOT_RETRY;
        }
        if (!controller.takeQueue(queue.queueId())) {
            return Status.CONNECT_BUSY;
        }
        queue.connected(controller);
        return request.answer(controller.id());
    }
}
