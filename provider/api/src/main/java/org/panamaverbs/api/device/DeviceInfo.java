package org.panamaverbs.api.device;

import java.util.List;
import java.util.OptionalInt;
import org.panamaverbs.api.Verbs;

/**
 * The identity of a device.
 *
 * @param name the name, for example {@code mlx5_0}, {@code siw0} or {@code iwarp0}
 * @param transport its protocol
 * @param description the driver or implementation, for people
 * @param firmware the firmware version, empty if there is none ({@code fw_ver})
 * @param nodeGuid the node GUID, 0 if there is none ({@code node_guid})
 * @param ports its ports at the time of the description; {@link Verbs#port} queries them anew
 * @param location its place in the machine
 */
public record DeviceInfo(
        String name,
        Transport transport,
        String description,
        String firmware,
        long nodeGuid,
        List<Port> ports,
        Location location) {
    /** The protocol of a device. */
    public enum Transport {
        /** InfiniBand. */
        INFINIBAND,
        /** RDMA over Converged Ethernet. */
        ROCE,
        /** iWARP over TCP. */
        IWARP,
        /** Another protocol. */
        OTHER
    }

    /**
     * The place of a device in its machine.
     *
     * @param index the kernel's index, which survives renaming ({@code ibv_get_device_index(3)}); empty if there is
     *     none
     * @param numaNode the NUMA node; empty if there is none or the kernel does not report it
     * @param pciAddress the PCI address, for example {@code 0000:3b:00.0}; empty if there is none
     */
    public record Location(OptionalInt index, OptionalInt numaNode, String pciAddress) {
        /** No place, for software devices. */
        public static final Location NONE = new Location(OptionalInt.empty(), OptionalInt.empty(), "");
    }

    /**
     * A port of a device.
     *
     * @param number from 1
     * @param active whether traffic can flow
     * @param mtuBytes the path MTU in bytes; on iWARP the maximum FPDU
     * @param addresses the GIDs or IP addresses, in no particular order; {@link org.panamaverbs.api.device.Port#gids}
     *     has the GID table
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

    /** Creates a description without a {@link Location}. */
    public DeviceInfo(
            String name, Transport transport, String description, String firmware, long nodeGuid, List<Port> ports) {
        this(name, transport, description, firmware, nodeGuid, ports, Location.NONE);
    }

    /**
     * Checks that the device has port {@code number}.
     *
     * @throws IllegalArgumentException if it does not, naming its ports
     */
    public void requirePort(int number) {
        if (ports.stream().noneMatch(port -> port.number() == number)) {
            throw new IllegalArgumentException("device " + name + " has no port " + number + "; it has "
                    + ports.stream().map(Port::number).toList());
        }
    }
}
