package org.panamaverbs.examples.nvme.controller;

import org.panamaverbs.examples.nvme.wire.Opcode;
import org.panamaverbs.examples.nvme.wire.Status;

/** Who handles which command: what is begun says where its data goes, and Connect ends when its data is here. */
final class Commands {
    private final Fabrics fabrics;
    private final Admin admin;
    private final Namespace namespace;

    Commands(Subsystem subsystem) {
        fabrics = new Fabrics(subsystem);
        admin = new Admin(subsystem);
        namespace = subsystem.namespace();
    }

    /** Begins the command of {@code request}, which came on {@code queue}; returns its status. */
    int begin(Association queue, Request request) {
        if (!request.command().hasLegalFlags()) {
            return Status.INVALID_FIELD | Status.DO_NOT_RETRY;
        }
        int status = handle(queue, request);
        return status == Status.SUCCESS && moves(request) ? request.checkDescriptor() : status;
    }

    private int handle(Association queue, Request request) {
        if (request.command().opcode() == Opcode.FABRICS) {
            return fabrics.begin(queue, request);
        }
        Controller controller = queue.controller();
        if (controller == null || !controller.isReady()) {
            return Status.SEQUENCE_ERROR | Status.DO_NOT_RETRY;
        }
        return queue.isAdmin() ? admin.begin(controller, request) : namespace.begin(request);
    }

    /** Ends a command whose data has come; returns its status. */
    int end(Association queue, Request request) {
        return request.command().opcode() == Opcode.FABRICS ? fabrics.connect(queue, request) : Status.SUCCESS;
    }

    private static boolean moves(Request request) {
        return request.data() == Request.Data.TO_HOST || request.data() == Request.Data.FROM_HOST;
    }
}
