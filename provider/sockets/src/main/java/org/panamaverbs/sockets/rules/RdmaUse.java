package org.panamaverbs.sockets.rules;

/** Whether a socket goes by RDMA. */
public enum RdmaUse {
    /** By RDMA, or not at all. */
    REQUIRE,

    /** By RDMA where it can be had, otherwise by plain TCP. */
    AUTO,

    /** By plain TCP. */
    OFF
}
