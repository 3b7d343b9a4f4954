package org.panamaverbs.iwarp.core;

/** The ready-to-receive message with which an initiator opens a peer-to-peer stream (RFC 6581 §9.2). */
public enum Rtr {
    /** None: the initiator's application sends first. */
    NONE,
    /** A zero-length RDMA Write. */
    WRITE,
    /** A zero-length RDMA Read. */
    READ,
    /** A zero-length Send. */
    SEND
}
