package org.panamaverbs.cli.decode.iwarp;

import java.util.Set;
import org.panamaverbs.cli.decode.tcp.Endpoint;

/**
 * What is true of connections though the capture does not show it: that they are iWARP, without an MPA frame or a CRC,
 * and which Swap they speak.
 *
 * @param all all of them are iWARP
 * @param ports those with one of these ports at either end are
 * @param draftSwap AOpCode 1 is the Swap of draft-ietf-storm-rdmap-ext-01, which RFC 7306 reserves
 */
public record Assumption(boolean all, Set<Integer> ports, boolean draftSwap) {
    /** Only what shows it. */
    public static final Assumption NONE = new Assumption(false, Set.of(), false);

    /** Takes a copy of the ports. */
    public Assumption {
        ports = Set.copyOf(ports);
    }

    boolean covers(Endpoint one, Endpoint other) {
        return all || ports.contains(one.port()) || ports.contains(other.port());
    }
}
