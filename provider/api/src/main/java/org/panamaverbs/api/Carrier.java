package org.panamaverbs.api;

/** What carries the bytes of a connection from one side to the other. */
public enum Carrier {
    /** The device and its network: an RDMA adapter, or what stands for one. */
    DEVICE("the device"),
    /** A TCP connection of the system's. */
    TCP("TCP"),
    /** TLS over a TCP connection. */
    TLS("TLS"),
    /** Memory that both sides share: the peer is on the same host. */
    SHARED_MEMORY("shared memory");

    private final String text;

    Carrier(String text) {
        this.text = text;
    }

    /** Returns the words for it, as they stand in {@link Connection#transport()}. */
    public String text() {
        return text;
    }
}
