package org.panamaverbs.api;

import java.util.List;
import java.util.OptionalInt;

/**
 * A device of a provider.
 *
 * @param name the name, for example {@code mlx5_0}, {@code siw0} or {@code iwarp0}
 * @param transport what it speaks
 * @param description the driver or implementation, for people
 * @param firmware the firmware's version, empty without
 * @param nodeGuid the node's GUID, 0 without
 * @param ports its ports, as they were when the device was described; {@link Verbs#port} asks them anew
 * @param location where it is in this machine
 */
public record DeviceInfo(
        String name,
        Transport transport,
        String description,
        String firmware,
        long nodeGuid,
        List<Port> ports,
        Location location) {
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
     * Where a device is in its machine.
     *
     * @param index the kernel's index of the device ({@code ibv_get_device_index(3)}), which stays when it is renamed;
     *     empty without
     * @param numaNode the NUMA node that it is attached to; empty if it has none, or the kernel does not say
     * @param pciAddress its address on the PCI bus, for example {@code 0000:3b:00.0}; empty without
     */
    public record Location(OptionalInt index, OptionalInt numaNode, String pciAddress) {
        /** Nowhere in particular, as devices made of software are. */
        public static final Location NONE = new Location(OptionalInt.empty(), OptionalInt.empty(), "");
    }

    /**
     * A port of a device.
     *
     * @param number from 1
     * @param active true if traffic can flow
     * @param mtuBytes the path MTU in bytes; for iWARP the largest FPDU's
     * @param addresses the GIDs or IP addresses; their order says nothing of the GID table, for which there is
     *     {@link org.panamaverbs.api.Port#gids}
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

    /** Describes a device that is {@link Location#NONE nowhere in particular}. */
    public DeviceInfo(
            String name, Transport transport, String description, String firmware, long nodeGuid, List<Port> ports) {
        this(name, transport, description, firmware, nodeGuid, ports, Location.NONE);
    }

    /**
     * Does nothing if the device has port {@code number}.
     *
     * @throws IllegalArgumentException otherwise, naming those that it has
     */
    public void requirePort(int number) {
        if (ports.stream().noneMatch(port -> port.number() == number)) {
            throw new IllegalArgumentException("device " + name + " has no port " + number + "; it has "
                    + ports.stream().map(Port::number).toList());
        }
    }
}
