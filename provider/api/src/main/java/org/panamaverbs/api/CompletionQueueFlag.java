package org.panamaverbs.api;

import org.panamaverbs.api.device.Capabilities;

/** Options of an extended completion queue, {@code enum ibv_create_cq_attr_flags} of {@code ibv_create_cq_ex(3)}. */
public enum CompletionQueueFlag {
    /**
     * One thread at a time polls, so that the driver takes no lock ({@code IBV_CREATE_CQ_ATTR_SINGLE_THREADED}). A
     * hint: the provider serializes threads in any case, so breaking the promise costs only time.
     */
    SINGLE_THREADED,
    /**
     * Excess completions overwrite those not polled yet instead of failing the queue
     * ({@code IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN}): for applications that count their requests and spare the device the
     * check. Needs {@link Capabilities.Feature#CQ_IGNORE_OVERRUN}.
     */
    IGNORE_OVERRUN
}
