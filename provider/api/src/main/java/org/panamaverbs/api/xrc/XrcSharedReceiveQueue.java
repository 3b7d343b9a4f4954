package org.panamaverbs.api.xrc;

import org.panamaverbs.api.SharedReceiveQueue;

/**
 * A shared receive queue that peers name by number. No queue pair is created with it: what comes to any
 * {@link XrcReceiver} of its domain finds it.
 */
public interface XrcSharedReceiveQueue extends SharedReceiveQueue {
    /**
     * Returns the number that peers send to, 24 bits ({@code ibv_get_srq_num(3)}):
     * {@link org.panamaverbs.api.SendQueue#toSharedReceiveQueue}.
     */
    int number();
}
