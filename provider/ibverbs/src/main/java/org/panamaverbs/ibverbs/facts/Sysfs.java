package org.panamaverbs.ibverbs.facts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.device.GidEntry;

/**
 * What the kernel says of devices in files. Nothing fails: a file that cannot be read says nothing.
 *
 * @param classes where the kernel shows its devices by class, {@code /sys/class}
 */
public record Sysfs(Path classes) {
    // Domain, bus, device and function, as the kernel names the directory of a PCI device.
    private static final Pattern PCI_ADDRESS = Pattern.compile("[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    /** Returns the kernel's. */
    public static Sysfs system() {
        return new Sysfs(Path.of("/sys/class"));
    }

    /** Tells whether it is there at all: some containers have no {@code /sys}. */
    public boolean isMounted() {
        return Files.isDirectory(classes);
    }

    /** Returns the names of the RDMA devices that the kernel has, sorted. */
    public List<String> devices() {
        return names(classes.resolve("infiniband")).toList();
    }

    /** Tells whether the kernel offers verbs to programs (module ib_uverbs). */
    public boolean hasUverbs() {
        return Files.isDirectory(classes.resolve("infiniband_verbs"));
    }

    /** Returns the name of {@code device}'s file in {@code /dev/infiniband}, such as {@code uverbs0}; empty without. */
    public String uverbsName(String device) {
        Path verbs = classes.resolve("infiniband_verbs");
        return names(verbs)
                .filter(name -> text(verbs.resolve(name).resolve("ibdev")).equals(device))
                .findFirst()
                .orElse("");
    }

    /** Returns the name of the kernel's driver of {@code device}; empty for software devices, which have none here. */
    String kernelDriver(String device) {
        try {
            Path link = classes.resolve("infiniband").resolve(device).resolve("device/driver");
            return String.valueOf(Files.readSymbolicLink(link).getFileName());
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the identifier of the board, empty without. */
    String boardId(String device) {
        return text(classes.resolve("infiniband").resolve(device).resolve("board_id"));
    }

    /**
     * Returns the NUMA node of the bus that {@code device} is on; empty where the kernel knows none (-1), and for
     * devices made of software.
     */
    OptionalInt numaNode(String device) {
        for (Path at = bus(device); at != null; at = at.getParent()) {
            String node = text(at.resolve("numa_node"));
            if (NUMBER.matcher(node).matches()) {
                return OptionalInt.of(Integer.parseInt(node));
            }
            if (!node.isEmpty()) {
                break;
            }
        }
        return OptionalInt.empty();
    }

    /** Returns the PCI address of {@code device}, or of what it is a part of; empty without. */
    String pciAddress(String device) {
        for (Path at = bus(device); at != null; at = at.getParent()) {
            String name = String.valueOf(at.getFileName());
            if (PCI_ADDRESS.matcher(name).matches()) {
                return name;
            }
        }
        return "";
    }

    /** Returns the type of a GID. */
    GidEntry.Type gidType(String device, int port, int index) {
        Path file = port(device, port).resolve("gid_attrs/types/" + index);
        return switch (text(file)) {
            case "RoCE v2" -> GidEntry.Type.ROCE_V2;
            case "IB/RoCE v1" ->
                text(port(device, port).resolve("link_layer")).equals("InfiniBand")
                        ? GidEntry.Type.IB
                        : GidEntry.Type.ROCE_V1;
            default -> GidEntry.Type.IB;
        };
    }

    /**
     * Returns the name of the network interface of a GID, empty without.
     *
     * @param ifIndex the interface's index where the library tells it, else 0
     */
    String networkDevice(String device, int port, int index, int ifIndex) {
        try {
            NetworkInterface network = ifIndex > 0 ? NetworkInterface.getByIndex(ifIndex) : null;
            if (network != null) {
                return network.getName();
            }
        } catch (SocketException e) {
            // The kernel's file may know it.
        }
        return text(port(device, port).resolve("gid_attrs/ndevs/" + index));
    }

    /**
     * Returns the IP addresses of the network interface of a port: the one that the kernel names, or the one whose
     * hardware address the first GID starts with, as on iWARP.
     */
    List<InetAddress> addresses(String device, int port, List<GidEntry> gids) {
        String name = networkDevice(device, port, 0, 0);
        try (Stream<NetworkInterface> all = NetworkInterface.networkInterfaces()) {
            return all.filter(network -> name.isEmpty() ? hasAddressOf(network, gids) : name.equals(network.getName()))
                    .flatMap(network -> network.getInterfaceAddresses().stream())
                    .map(InterfaceAddress::getAddress)
                    .toList();
        } catch (SocketException e) {
            return List.of();
        }
    }

    private static boolean hasAddressOf(NetworkInterface network, List<GidEntry> gids) {
        try {
            byte[] mac = network.getHardwareAddress();
            return mac != null
                    && !gids.isEmpty()
                    && HexFormat.fromHexDigitsToLong(HexFormat.of().formatHex(mac))
                            == gids.getFirst().gid().subnetPrefix() >>> Short.SIZE;
        } catch (SocketException e) {
            return false;
        }
    }

    /** Returns the directory of what the device is on, null without. */
    private @Nullable Path bus(String device) {
        try {
            return classes.resolve("infiniband")
                    .resolve(device)
                    .resolve("device")
                    .toRealPath();
        } catch (IOException e) {
            return null;
        }
    }

    private Path port(String device, int port) {
        return classes.resolve("infiniband").resolve(device).resolve("ports/" + port);
    }

    private static Stream<String> names(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList().stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
