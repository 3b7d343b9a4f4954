package org.panamaverbs.ibverbs.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SysfsTest {
    @TempDir
    private Path classes;

    @Test
    void saysNothingWhereThereIsNothing() {
        Sysfs sysfs = new Sysfs(classes);
        assertThat(sysfs.devices()).isEmpty();
        assertThat(sysfs.hasUverbs()).isFalse();
        assertThat(sysfs.uverbsName("mlx5_0")).isEmpty();
        assertThat(sysfs.kernelDriver("mlx5_0")).isEmpty();
        assertThat(sysfs.boardId("mlx5_0")).isEmpty();
        assertThat(sysfs.gidType("mlx5_0", 1, 0)).isZero();
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
        assertThat(sysfs.gidType("mlx5_0", 1, 0)).isEqualTo(1);
        assertThat(sysfs.gidType("mlx5_0", 1, 1)).isEqualTo(GidEntry.ROCE_V2);
        assertThat(sysfs.addresses("mlx5_0", 1, List.of())).contains("127.0.0.1");
    }
}
