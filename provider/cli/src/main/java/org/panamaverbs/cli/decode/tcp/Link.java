package org.panamaverbs.cli.decode.tcp;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The link that a packet was captured on, as far as the capture tells: two connections with the same addresses and
 * ports may be on two of them, and one connection may be seen on several.
 *
 * @param interfaceId the capture's number of the interface, 0 for its first or only one
 * @param device the system's number of the network interface, which Linux cooked 2 has; 0 where there is none
 * @param vlans identifiers of VLANs, the outermost first
 */
public record Link(int interfaceId, int device, List<Integer> vlans) {
    /** The first interface of a capture, without VLAN. */
    public static final Link NONE = new Link(0, 0, List.of());

    /** Takes a copy of the list. */
    public Link {
        vlans = List.copyOf(vlans);
    }

    /** What people call it, such as {@code interface 1, VLAN 100}; empty if there is nothing to say. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        if (interfaceId > 0) {
            parts.add("interface " + interfaceId);
        }
        if (device != 0) {
            parts.add("link " + Integer.toUnsignedString(device));
        }
        if (!vlans.isEmpty()) {
            parts.add("VLAN " + vlans.stream().map(String::valueOf).collect(Collectors.joining("/")));
        }
        return String.join(", ", parts);
    }
}
