package org.panamaverbs.ibverbs.connect;

import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.cm.CmEvent;
import org.panamaverbs.ibverbs.cm.CmEventType;

/** Why a connection that nobody of this side ended is down, in words with what to do; empty for an end in order. */
final class EndCause {
    private EndCause() {}

    /** Returns what {@code event}, which ends a connection on {@code device}, says by itself. */
    static String of(CmEvent event, String device) {
        if (event.type() == CmEventType.DEVICE_REMOVAL) {
            return "device " + device + " was removed; remedy: close it, and open another one";
        }
        if (event.type() == CmEventType.LOST) {
            return "an event of librdmacm was lost, which may have been its end; remedy: check the log for the cause";
        }
        // rdma_get_cm_event(3): 0, or an error number, of drivers and of the kernel negated.
        return event.status() == 0
                ? ""
                : "RDMA_CM_EVENT_DISCONNECTED with " + Errno.describe(Math.abs(event.status())) + toDo();
    }

    /** Returns what it is that {@code requests} had not completed when the peer, or a reset, ended it; none if <= 0. */
    static String unfinished(int requests) {
        return requests <= 0
                ? ""
                : "the peer ended the connection, or it was reset, before " + requests
                        + " signaled requests of this side had completed" + toDo();
    }

    private static String toDo() {
        return "; remedy: " + ConnectionException.Reason.RESET.remedy();
    }
}
