package org.panamaverbs.ibverbs.context;

import org.panamaverbs.api.AsyncEvent;

/** An object that the device raises events for. */
public interface EventTarget {
    /**
     * Hears of an event, its own or {@link AsyncEvent.Type#DEVICE_FATAL}. Mostly on the thread that takes them: it must
     * not wait.
     */
    void raised(AsyncEvent.Type type);

    /** Returns what applications are told of such an event: what raised it, where and, if it failed, what to do. */
    String told(AsyncEvent.Type type);
}
