package org.panamaverbs.sockets.rules;

/** Whether a socket uses RDMA. */
public enum RdmaUse {
    /** RDMA only, without fallback. */
    REQUIRE,

    /** RDMA if available, otherwise plain TCP. */
    AUTO,

    /** Plain TCP. */
    OFF
}
