package org.panamaverbs.api.ext;

import org.panamaverbs.api.SharedReceiveQueue;

/**
 * A shared receive queue that peers address by number. No queue pair is created with it: messages through any
 * {@link XrcReceiver} of its domain can reach it.
 */
public interface XrcSharedReceiveQueue extends SharedReceiveQueue {
    /**
     * Returns the number that peers address, 24 bits: {@code ibv_get_srq_num(3)},
     * {@link org.panamaverbs.api.SendQueue#toSharedReceiveQueue}.
     */
    int number();
}
