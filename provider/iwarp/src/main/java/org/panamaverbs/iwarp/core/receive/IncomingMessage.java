package org.panamaverbs.iwarp.core.receive;

import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.core.work.ReceiveSlot;

/** The message on queue 0 that is under way, with the receive it was given: Send, or Immediate Data. */
final class IncomingMessage {
    /** The receive; valid while the message is under way, and until it is completed. */
    final ReceiveSlot slot;

    /** A receive was taken and is not completed. */
    boolean underWay;

    /** So many octets of the message are delivered; from 0 with each. */
    long offset;

    /** What its receive completes with if it is not finished: other than flushed once local memory was refused. */
    WcStatus failure = WcStatus.WR_FLUSH_ERROR;

    /** It is the ready-to-receive Send, which takes no receive; from its header to its delivery. */
    boolean swallowed;

    IncomingMessage(int maxSge) {
        slot = new ReceiveSlot(maxSge);
    }

    /** Makes the fields ready for a message whose receive is taken next. */
    void prepare() {
        offset = 0;
        failure = WcStatus.WR_FLUSH_ERROR;
    }
}
