package org.panamaverbs.iwarp.core.setup;

/** The ready-to-receive message with which an initiator opens a peer-to-peer stream (RFC 6581 §9.2). */
public enum Rtr {
    /** None, or none is known of. */
    NONE,
    /** At the responder: none, as the initiator has said (A is 0). Its application is to send first. */
    WAIVED,
    /** A zero-length RDMA Write. */
    WRITE,
    /** A zero-length RDMA Read. */
    READ,
    /** A zero-length Send. */
    SEND
}
