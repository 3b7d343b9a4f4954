package org.panamaverbs.cli.rping;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the command line of rping says.
 *
 * @param place where the server is
 * @param pings what goes there and back
 * @param persistent true for a server that serves many clients
 * @param debug true to say on the standard error what happens
 * @param timeout the limit of each wait for the peer
 */
record RpingOptions(Place place, Pings pings, boolean persistent, boolean debug, Duration timeout) {
    /**
     * Where the server is, and the client.
     *
     * @param address to listen at or to connect to; a name, an IPv4 or an IPv6 address
     * @param port 0 to 65535; 0 only for a server, which then lets the system choose
     * @param source the address to connect from, null for any
     */
    record Place(String address, int port, @Nullable String source) {}

    /**
     * The pings of a client, and what is done with their data.
     *
     * @param count pings, 0 without end; a server ignores it
     * @param size octets of a ping
     * @param verbose true to print the data of each ping
     * @param validate true to compare what came back with what was sent; a server ignores it
     */
    record Pings(int count, int size, boolean verbose, boolean validate) {}
}
