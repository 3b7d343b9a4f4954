package org.panamaverbs.ibverbs.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.device.GidEntry;

class SysfsTest {
    @TempDir
    private Path root;

    private Path classes;

    @BeforeEach
    void begin() throws IOException {
        classes = Files.createDirectory(root.resolve("class"));
    }

    @Test
    void saysNothingWhereThereIsNothing() {
        Sysfs sysfs = new Sysfs(classes);
        assertThat(sysfs.devices()).isEmpty();
        assertThat(sysfs.hasUverbs()).isFalse();
        assertThat(sysfs.uverbsName("mlx5_0")).isEmpty();
        assertThat(sysfs.kernelDriver("mlx5_0")).isEmpty();
        assertThat(sysfs.boardId("mlx5_0")).isEmpty();
        assertThat(sysfs.numaNode("mlx5_0")).isEmpty();
        assertThat(sysfs.pciAddress("mlx5_0")).isEmpty();
        assertThat(sysfs.networkDevice("mlx5_0", 1, 0, 0)).isEmpty();
        assertThat(sysfs.networkDevice("mlx5_0", 1, 0, Integer.MAX_VALUE)).isEmpty();
        assertThat(sysfs.gidType("mlx5_0", 1, 0)).isEqualTo(GidEntry.Type.IB);
        assertThat(sysfs.addresses("mlx5_0", 1, List.of())).isEmpty();
    }

    @Test
    void readsWhatTheKernelSays() throws IOException {
        Path device = Files.createDirectories(classes.resolve("infiniband/mlx5_0"));
        Files.createDirectories(device.resolve("device"));
        Files.createSymbolicLink(device.resolve("device/driver"), Path.of("../../bus/pci/drivers/mlx5_core"));
        Files.writeString(device.resolve("board_id"), "MT_0000000008\n");
        Path port = Files.createDirectories(device.resolve("ports/1/gid_attrs/types"));
        Files.writeString(port.resolve("0"), "IB/RoCE v1\n");
        Files.writeString(port.resolve("1"), "RoCE v2\n");
        Path names = Files.createDirectories(device.resolve("ports/1/gid_attrs/ndevs"));
        Files.writeString(names.resolve("0"), "lo\n");
        Path verbs = Files.createDirectories(classes.resolve("infiniband_verbs/uverbs3"));
        Files.writeString(verbs.resolve("ibdev"), "mlx5_0\n");
        Sysfs sysfs = new Sysfs(classes);
        assertThat(sysfs.devices()).containsExactly("mlx5_0");
        assertThat(sysfs.hasUverbs()).isTrue();
        assertThat(sysfs.uverbsName("mlx5_0")).isEqualTo("uverbs3");
        assertThat(sysfs.kernelDriver("mlx5_0")).isEqualTo("mlx5_core");
        assertThat(sysfs.boardId("mlx5_0")).isEqualTo("MT_0000000008");
        assertThat(sysfs.gidType("mlx5_0", 1, 0)).isEqualTo(GidEntry.Type.ROCE_V1);
        assertThat(sysfs.gidType("mlx5_0", 1, 1)).isEqualTo(GidEntry.Type.ROCE_V2);
        assertThat(sysfs.networkDevice("mlx5_0", 1, 0, 0)).isEqualTo("lo");
        assertThat(sysfs.addresses("mlx5_0", 1, List.of())).contains(InetAddress.ofLiteral("127.0.0.1"));
    }

    @ParameterizedTest
    @CsvSource({"InfiniBand, IB", "Ethernet, ROCE_V1"})
    void firstVersionOfRoceIsToldFromInfiniBand(String link, GidEntry.Type type) throws IOException {
        Path port = classes.resolve("infiniband/mlx5_0/ports/1");
        Path types = Files.createDirectories(port.resolve("gid_attrs/types"));
        Files.writeString(port.resolve("link_layer"), link + "\n");
        Files.writeString(types.resolve("0"), "IB/RoCE v1\n");
        assertThat(new Sysfs(classes).gidType("mlx5_0", 1, 0)).isEqualTo(type);
    }

    @ParameterizedTest
    @CsvSource({
        "mlx5_0, pci0000:3a/0000:3a:00.0/0000:3b:00.1,        1, 0000:3b:00.1",
        "irdma0, pci0000:3a/0000:3b:00.0/ice.roce.0,          0, 0000:3b:00.0",
        "hyper,  pci10000:00/10000:e1:00.0,                   12, 10000:e1:00.0",
        "none,   pci0000:00/0000:00:03.0,                     -1, 0000:00:03.0",
        "soft,   virtual/net/dummy0,                          '', ''",
    })
    void findsTheBusThatADeviceIsOn(String device, String bus, String node, String address) throws IOException {
        Path on = Files.createDirectories(classes.resolveSibling("devices").resolve(bus));
        Path pci = address.isEmpty()
                ? on
                : on.resolve(bus.endsWith(address) ? "." : "..").normalize();
        if (!node.isEmpty()) {
            Files.writeString(pci.resolve("numa_node"), node + "\n");
        }
        Path entry = Files.createDirectories(classes.resolve("infiniband").resolve(device));
        Files.createSymbolicLink(entry.resolve("device"), on);
        Sysfs sysfs = new Sysfs(classes);
        assertThat(sysfs.pciAddress(device)).isEqualTo(address);
        assertThat(sysfs.numaNode(device).orElse(-1)).isEqualTo(node.isEmpty() ? -1 : Integer.parseInt(node));
    }
}
