package org.panamaverbs.api;

/**
 * How a listener is made.
 *
 * @param backlog requests that may wait for {@link Listener#accept}, from 1
 * @param reuseAddress true to bind although old connections linger at the port
 */
public record ListenerConfig(int backlog, boolean reuseAddress) {
    /** Returns a backlog of 128 with address reuse. */
    public static ListenerConfig defaults() {
        return new ListenerConfig(128, true);
    }
}
