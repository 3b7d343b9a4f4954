package org.panamaverbs.iwarp.net;

import java.io.IOException;
import java.net.InetSocketAddress;

/** The system's TCP sockets, reached in one way. Safe for use by any thread. */
public interface Sockets {
    /** Returns its name: {@code libc} or {@code nio}. */
    String name();

    /** Opens what waits for them. */
    Poller poller() throws IOException;

    /** Opens a socket to connect with. */
    TcpSocket open(boolean ipv6) throws IOException;

    /**
     * Opens a socket that listens; at the wildcard address of either family it listens for both.
     *
     * @param backlog how many connections the system may keep until they are accepted
     * @param reuseAddress whether the address may be one that connections are still in TIME-WAIT at
     */
    TcpServer listen(InetSocketAddress local, int backlog, boolean reuseAddress) throws IOException;

    /**
     * Opens a socket that listens; otherwise as {@link #listen(InetSocketAddress, int, boolean)}.
     *
     * @param ipv4Only whether it listens for IPv4 alone at the wildcard address
     */
    default TcpServer listen(InetSocketAddress local, int backlog, boolean reuseAddress, boolean ipv4Only)
            throws IOException {
        return listen(local, backlog, reuseAddress);
    }
}
