package org.panamaverbs.api;

import org.panamaverbs.api.cm.Connection;

/** The medium that carries a connection. */
public enum Carrier {
    /** The device and its network: an RDMA adapter, or its substitute. */
    DEVICE("the device"),
    /** A TCP connection of the operating system. */
    TCP("TCP"),
    /** TLS over a TCP connection. */
    TLS("TLS"),
    /** Memory shared with a peer on the same host. */
    SHARED_MEMORY("shared memory");

    private final String text;

    Carrier(String text) {
        this.text = text;
    }

    /** Returns its words in {@link Connection#transport()}. */
    public String text() {
        return text;
    }
}
