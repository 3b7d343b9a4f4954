package org.panamaverbs.cli.doctor;

import java.util.List;
import java.util.stream.Stream;

/**
 * An RDMA device of the kernel.
 *
 * @param directory its directory, such as {@code sys/class/infiniband/mlx5_0}
 * @param iwarp whether it speaks iWARP ({@code node_type} RNIC)
 * @param software whether it is made of software: it has no bus, so that no settings of an adapter apply
 */
record RdmaDevice(String name, String directory, boolean iwarp, boolean software, List<Port> ports) {
    private static final String CLASS = "sys/class/infiniband";
    private static final int MAC_DIGITS = 12;
    private static final String ZERO_GID = "0000:0000:0000:0000:0000:0000:0000:0000";
    private static final String LINK_LOCAL = "fe80:";
    private static final String IPV4_MAPPED = "0000:0000:0000:0000:0000:ffff:";

    /**
     * A port of a device.
     *
     * @param directory its directory
     * @param state its state without number: {@code ACTIVE}, {@code DOWN}
     * @param infiniband whether its link layer is InfiniBand
     * @param interfaceName the network interface behind it, empty if unknown
     */
    record Port(int number, String directory, String state, boolean infiniband, String interfaceName, List<Gid> gids) {
        boolean active() {
            return state.equals("ACTIVE");
        }
    }

    /** An entry of a port's table of GIDs that holds one; {@code type} is the kernel's word: {@code RoCE v2}. */
    record Gid(int index, String value, String type) {
        boolean linkLocal() {
            return value.startsWith(LINK_LOCAL);
        }

        boolean ipv4() {
            return value.startsWith(IPV4_MAPPED);
        }

        boolean roceV2() {
            return type.equals("RoCE v2");
        }
    }

    /** Returns all devices of {@code machine}, by name. */
    static List<RdmaDevice> all(MachineTree machine) {
        return machine.names(CLASS).stream().map(name -> of(machine, name)).toList();
    }

    private static RdmaDevice of(MachineTree machine, String name) {
        String directory = CLASS + "/" + name;
        List<Port> ports = machine.numbers(directory + "/ports").stream()
                .map(number -> port(machine, directory + "/ports/" + number, number))
                .toList();
        boolean iwarp = machine.text(directory + "/node_type").contains("RNIC");
        return new RdmaDevice(name, directory, iwarp, !machine.has(directory + "/device/driver"), ports);
    }

    private static Port port(MachineTree machine, String directory, int number) {
        String state = machine.text(directory + "/state");
        List<Gid> gids = gids(machine, directory);
        return new Port(
                number,
                directory,
                state.substring(state.indexOf(':') + 1).strip(),
                machine.text(directory + "/link_layer").equals("InfiniBand"),
                interfaceName(machine, directory, gids),
                gids);
    }

    private static List<Gid> gids(MachineTree machine, String port) {
        return machine.numbers(port + "/gids").stream()
                .map(index -> new Gid(
                        index, machine.text(port + "/gids/" + index), machine.text(port + "/gid_attrs/types/" + index)))
                .filter(gid -> !gid.value().isEmpty() && !gid.value().equals(ZERO_GID))
                .toList();
    }

    /** Returns the interface that the table of GIDs names, or whose hardware address the first GID is, as on iWARP. */
    private static String interfaceName(MachineTree machine, String port, List<Gid> gids) {
        Stream<String> named = machine.numbers(port + "/gid_attrs/ndevs").stream()
                .map(index -> machine.text(port + "/gid_attrs/ndevs/" + index));
        Stream<String> addressed = machine.names("sys/class/net").stream().filter(network -> {
            String address =
                    machine.text("sys/class/net/" + network + "/address").replace(":", "");
            return address.length() == MAC_DIGITS
                    && !gids.isEmpty()
                    && gids.getFirst().value().replace(":", "").startsWith(address);
        });
        return Stream.concat(named, addressed)
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** Returns what messages call {@code port}. */
    String text(Port port) {
        return name + " port " + port.number();
    }

    /** Returns {@code port}'s interface as commands name it. */
    static String interfaceOf(Port port) {
        return port.interfaceName().isEmpty() ? "NETDEV" : port.interfaceName();
    }
}
