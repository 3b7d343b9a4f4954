package org.panamaverbs.cli.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A machine's files below a directory: first those of a good machine, of which a test breaks some. */
record FileTree(Path root) {
    private static final String PORT = "sys/class/infiniband/mlx5_0/ports/1/";
    /** A user whom no file of a test belongs to. */
    private static final int USER = 424_242;

    /** Makes a machine with one adapter for RoCE on node 1 of two, where nothing is to be mended. */
    static FileTree good(Path root) {
        FileTree tree = new FileTree(root);
        tree.put("proc/sys/kernel/osrelease", "6.1.0-18-amd64");
        tree.put("proc/self/status", status(USER, "0-7"));
        tree.put(
                "proc/self/limits",
                "Limit  Soft Limit  Hard Limit  Units\nMax locked memory  unlimited  unlimited  bytes\n");
        tree.put("lib/modules/6.1.0-18-amd64/modules.dep", "");
        tree.put("etc/ld.so.conf.d/x86_64-linux-gnu.conf", "# Multiarch support\n/usr/lib/x86_64-linux-gnu\n");
        tree.put("usr/lib/x86_64-linux-gnu/libibverbs.so.1.14.44.0", "");
        tree.put("usr/lib/x86_64-linux-gnu/librdmacm.so.1.3.44.0", "");
        tree.put("etc/libibverbs.d/mlx5.driver", "driver mlx5\n");
        tree.put("sys/class/infiniband/mlx5_0/node_type", "1: CA");
        tree.put("sys/class/infiniband/mlx5_0/device/driver/uevent", "");
        tree.put("sys/class/infiniband/mlx5_0/device/numa_node", "1");
        tree.put("sys/class/infiniband_verbs/uverbs0/ibdev", "mlx5_0");
        tree.put("sys/class/misc/rdma_cm/dev", "10:121");
        tree.device("dev/infiniband/uverbs0", "rw-rw-rw-");
        tree.device("dev/infiniband/rdma_cm", "rw-rw-rw-");
        tree.put(PORT + "state", "4: ACTIVE");
        tree.put(PORT + "phys_state", "5: LinkUp");
        tree.put(PORT + "link_layer", "Ethernet");
        tree.put(PORT + "rate", "100 Gb/sec (4X EDR)");
        tree.gid(0, "fe80:0000:0000:0000:0ac0:ebff:fe12:3456", "IB/RoCE v1");
        tree.gid(1, "fe80:0000:0000:0000:0ac0:ebff:fe12:3456", "RoCE v2");
        tree.gid(2, "0000:0000:0000:0000:0000:0000:0000:0000", "");
        tree.gid(3, "0000:0000:0000:0000:0000:ffff:c000:0201", "RoCE v2");
        tree.put("sys/class/net/ens1/mtu", "9000");
        tree.put("sys/class/net/ens1/operstate", "up");
        tree.put("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "512");
        tree.put("sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "500");
        tree.put("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");
        tree.put("sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet acpi_pm");
        tree.put("sys/devices/system/node/node0/cpulist", "0-3");
        tree.put("sys/devices/system/node/node1/cpulist", "4-7");
        return tree;
    }

    /** Returns what the kernel says of a process of {@code user} in group 100 that may run on {@code processors}. */
    static String status(int user, String processors) {
        return "Name:\tjava\nUid:\t%d\t%d\t%d\t%d\nGid:\t100\t100\t100\t100\nGroups:\t100 27 \n"
                        .formatted(user, user, user, user)
                + "CapEff:\t0000000000000000\nCpus_allowed_list:\t" + processors + "\n";
    }

    /** Writes a file, with a line end as the kernel's have. */
    void put(String path, String text) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes a device's file, of which only the mode counts. */
    void device(String path, String mode) {
        put(path, "");
        try {
            Files.setPosixFilePermissions(root.resolve(path), PosixFilePermissions.fromString(mode));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes an entry of the adapter's table of GIDs. */
    void gid(int index, String value, String type) {
        put(PORT + "gids/" + index, value);
        if (!type.isEmpty()) {
            put(PORT + "gid_attrs/types/" + index, type);
            put(PORT + "gid_attrs/ndevs/" + index, "ens1");
        }
    }

    /** Removes a file, or a directory with all that is in it. */
    void remove(String path) {
        try (Stream<Path> below = Files.walk(root.resolve(path))) {
            List<Path> deepestFirst = below.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
