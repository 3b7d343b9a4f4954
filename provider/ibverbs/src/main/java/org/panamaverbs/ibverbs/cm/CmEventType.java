package org.panamaverbs.ibverbs.cm;

/** {@code enum rdma_cm_event_type} of rdma/rdma_cma.h, in its order. */
public enum CmEventType {
    ADDR_RESOLVED,
    ADDR_ERROR,
    ROUTE_RESOLVED,
    ROUTE_ERROR,
    CONNECT_REQUEST,
    CONNECT_RESPONSE,
    CONNECT_ERROR,
    UNREACHABLE,
    REJECTED,
    ESTABLISHED,
    DISCONNECTED,
    DEVICE_REMOVAL,
    MULTICAST_JOIN,
    MULTICAST_ERROR,
    ADDR_CHANGE,
    TIMEWAIT_EXIT,
    /** None of librdmacm's: one that came and could not be read. */
    LOST,
    /** Any that a newer librdmacm may have; of no concern to connections. */
    OTHER;

    private static final CmEventType[] VALUES = values();
    private static final int KNOWN = VALUES.length - 2;

    /** Returns the type with the number {@code value}. */
    static CmEventType of(int value) {
        return value >= 0 && value < KNOWN ? VALUES[value] : OTHER;
    }

    /** Tells whether a connection has ended with it, or may have. */
    public boolean isEnd() {
        return this == DISCONNECTED || this == DEVICE_REMOVAL || this == LOST;
    }

    /** Tells whether the event is of no concern to anybody. */
    boolean isNoise() {
        return this == OTHER;
    }

    /** Tells whether the event answers nothing and ends nothing: applications hear of it, and set-ups do not. */
    public boolean isNotice() {
        return this == ADDR_CHANGE || this == TIMEWAIT_EXIT;
    }
}
