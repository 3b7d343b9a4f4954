package org.panamaverbs.ibverbs.facts;

import java.io.IOException;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the kernel says of devices in files. Nothing fails: a file that cannot be read says nothing.
 *
 * @param classes where the kernel shows its devices by class, {@code /sys/class}
 */
public record Sysfs(Path classes) {
    /** Returns the kernel's. */
    public static Sysfs system() {
        return new Sysfs(Path.of("/sys/class"));
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

    /** Returns the type of a GID as {@code enum ibv_gid_type}. */
    int gidType(String device, int port, int index) {
        Path file = port(device, port).resolve("gid_attrs/types/" + index);
        return switch (text(file)) {
            case "RoCE v2" -> GidEntry.ROCE_V2;
            case "IB/RoCE v1" -> 1;
            default -> 0;
        };
    }

    /**
     * Returns the IP addresses of the network interface of a port: the one that the kernel names, or the one whose
     * hardware address the first GID starts with, as on iWARP.
     */
    List<String> addresses(String device, int port, List<GidEntry> gids) {
        String name = text(port(device, port).resolve("gid_attrs/ndevs/0"));
        try (Stream<NetworkInterface> all = NetworkInterface.networkInterfaces()) {
            return all.filter(network -> name.isEmpty() ? hasAddressOf(network, gids) : name.equals(network.getName()))
                    .flatMap(network -> network.getInterfaceAddresses().stream())
                    .map(InterfaceAddress::getAddress)
                    .map(address -> address.getHostAddress().replaceFirst("%.*", ""))
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
                            == gids.get(0).hardwareAddress();
        } catch (SocketException e) {
            return false;
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
