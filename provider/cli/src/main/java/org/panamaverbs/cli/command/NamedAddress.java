package org.panamaverbs.cli.command;

import java.net.InetSocketAddress;

/** Addresses as people write them. */
public final class NamedAddress {
    private NamedAddress() {}

    /**
     * Resolves {@code host}.
     *
     * @throws CommandFailure if nobody knows it, with how to find out
     */
    public static InetSocketAddress resolved(String host, int port) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new CommandFailure("the address " + host + " does not resolve; remedy: check `getent hosts " + host
                    + "`, or give an IP address");
        }
        return address;
    }
}
