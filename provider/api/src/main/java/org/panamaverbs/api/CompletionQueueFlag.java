package org.panamaverbs.api;

/** How an extended completion queue is used, {@code enum ibv_create_cq_attr_flags} of {@code ibv_create_cq_ex(3)}. */
public enum CompletionQueueFlag {
    /**
     * One thread at a time polls, so that the driver leaves its lock out ({@code IBV_CREATE_CQ_ATTR_SINGLE_THREADED}).
     * A hint: the provider keeps threads apart in any case, and breaking the promise costs only time.
     */
    SINGLE_THREADED,
    /**
     * More completions than fit overwrite those that were not polled instead of failing the queue
     * ({@code IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN}): for applications that count their requests and spare the device the
     * check. Needs {@link Capabilities.Feature#CQ_IGNORE_OVERRUN}.
     */
    IGNORE_OVERRUN
}
