package org.panamaverbs.cli.decode.iwarp;

import java.util.Set;
import org.panamaverbs.cli.decode.tcp.Endpoint;

/**
 * Which connections are iWARP even if the capture does not show it by an MPA frame or a CRC.
 *
 * @param all all of them
 * @param ports those with one of these ports at either end
 */
public record Assumption(boolean all, Set<Integer> ports) {
    /** Only what shows it. */
    public static final Assumption NONE = new Assumption(false, Set.of());

    /** Takes a copy of the ports. */
    public Assumption {
        ports = Set.copyOf(ports);
    }

    boolean covers(Endpoint one, Endpoint other) {
        return all || ports.contains(one.port()) || ports.contains(other.port());
    }
}
