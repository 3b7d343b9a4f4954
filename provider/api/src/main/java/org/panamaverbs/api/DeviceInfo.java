package org.panamaverbs.api;

import java.util.List;

/**
 * A device of a provider.
 *
 * @param name the name, for example {@code mlx5_0}, {@code siw0} or {@code iwarp0}
 * @param transport what it speaks
 * @param description the driver or implementation, for people
 * @param firmware the firmware's version, empty without
 * @param nodeGuid the node's GUID, 0 without
 * @param ports its ports
 */
public record DeviceInfo(
        String name, Transport transport, String description, String firmware, long nodeGuid, List<Port> ports) {
    /** What a device speaks. */
    public enum Transport {
        /** InfiniBand. */
        INFINIBAND,
        /** RDMA over Converged Ethernet. */
        ROCE,
        /** iWARP over TCP. */
        IWARP,
        /** Something else. */
        OTHER
    }

    /**
     * A port of a device.
     *
     * @param number from 1
     * @param active true if traffic can flow
     * @param mtuBytes the path MTU in octets; for iWARP the largest FPDU's
     * @param addresses the GIDs or IP addresses; their order says nothing of the GID table, for which there is
     *     {@link DeviceAttributes.Port#gidIndex}
     */
    public record Port(int number, boolean active, int mtuBytes, List<String> addresses) {
        /** Copies the list. */
        public Port {
            addresses = List.copyOf(addresses);
        }
    }

    /** Copies the list. */
    public DeviceInfo {
        ports = List.copyOf(ports);
    }
}
