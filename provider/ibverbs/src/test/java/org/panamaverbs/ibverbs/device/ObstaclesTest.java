package org.panamaverbs.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.device.Availability.Unavailable;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.facts.Sysfs;

/** Each obstacle is made of real files and the libraries' own words. */
class ObstaclesTest {
    @TempDir
    private Path root;

    private Path classes;
    private Path dev;
    private Optional<String> mismatch = Optional.empty();
    private Optional<String> ibverbs = Optional.empty();
    private Optional<String> denial = Optional.empty();
    private Optional<String> flag = Optional.empty();
    private Predicate<Path> mayUse = file -> true;
    private OptionalLong memlock = OptionalLong.empty();

    @BeforeEach
    void makeAMachineWithADevice() throws IOException {
        classes = root.resolve("class");
        dev = Files.createDirectories(root.resolve("dev"));
        Files.createDirectories(classes.resolve("infiniband/mlx5_0"));
        Files.createDirectories(classes.resolve("infiniband_verbs/uverbs0"));
        Files.writeString(classes.resolve("infiniband_verbs/abi_version"), "6\n");
        Files.writeString(classes.resolve("infiniband_verbs/uverbs0/ibdev"), "mlx5_0\n");
        Files.createFile(dev.resolve("uverbs0"));
        Files.createFile(dev.resolve("rdma_cm"));
    }

    @Test
    void nothingIsInTheWayWhereAllIsThere() {
        assertThat(Obstacles.before(machine())).isEmpty();
        assertThat(DeviceFiles.obstacle(machine(), List.of("mlx5_0"))).isEmpty();
    }

    @Test
    void namesWhatWorksOnAnotherArchitectureAndAsksForNothingElse() throws IOException {
        mismatch = Optional.of(
                "libibverbs and librdmacm are supported on x86-64 and aarch64 only, and this machine is riscv64; remedy:"
                        + " use provider iwarp (-Dverbs.provider=iwarp), which runs here over java.nio");
        flag = Optional.of("--enable-native-access=ALL-UNNAMED");
        denial = Optional.of("asked in vain");
        Files.delete(classes.resolve("infiniband/mlx5_0"));
        assertThat(Obstacles.before(machine()))
                .contains(new Unavailable(
                        "libibverbs and librdmacm are supported on x86-64 and aarch64 only, and this machine is riscv64",
                        "use provider iwarp (-Dverbs.provider=iwarp), which runs here over java.nio"));
    }

    @Test
    void namesThePackageOfEachMissingLibrary() {
        ibverbs = Optional.of(
                "libibverbs.so.1 cannot be opened (libnl-3.so.200: cannot open); remedy: apt install libibverbs1");
        assertThat(Obstacles.before(machine()))
                .contains(new Unavailable(
                        "libibverbs.so.1 cannot be opened (libnl-3.so.200: cannot open)", "apt install libibverbs1"));
    }

    @Test
    void namesTheExactFlagWhereNativeAccessIsDenied() {
        denial = Optional.of("native access is denied to module org.panamaverbs.ibverbs; remedy: start java with "
                + "--enable-native-access=org.panamaverbs.bindings,org.panamaverbs.ibverbs");
        assertThat(Obstacles.before(machine()))
                .contains(new Unavailable(
                        "native access is denied to module org.panamaverbs.ibverbs",
                        "start java with --enable-native-access=org.panamaverbs.bindings,org.panamaverbs.ibverbs"));
    }

    @Test
    void touchesNothingNativeInVainWithoutTheFlag() throws IOException {
        flag = Optional.of("--enable-native-access=ALL-UNNAMED");
        denial = Optional.of("asked although there is no device: in vain");
        Files.delete(classes.resolve("infiniband/mlx5_0"));
        Unavailable answer = Obstacles.before(machine()).orElseThrow();
        assertThat(answer.reason()).startsWith("no RDMA device");
        assertThat(answer.remedy()).endsWith("start java with --enable-native-access=ALL-UNNAMED");
    }

    @Test
    void tellsTheMemlockLimitThatIsTooSmall() {
        memlock = OptionalLong.of(64 << 10);
        Unavailable answer = Obstacles.before(machine()).orElseThrow();
        assertThat(answer.reason()).contains("memlock limit is 64 KiB", "1024 KiB");
        assertThat(answer.remedy()).contains("ulimit -l", "limits.conf", "LimitMEMLOCK", "--ulimit memlock=-1");
        memlock = OptionalLong.of(8 << 20);
        assertThat(Obstacles.before(machine())).isEmpty();
    }

    @Test
    void capabilityToLockMemoryLiftsTheLimit() throws IOException {
        Path status = Files.writeString(root.resolve("status"), "Name:\tjava\nCapEff:\t0000000000004000\n");
        assertThat(Machine.mayLockAnything(root)).isTrue();
        Files.writeString(root.resolve("uid_map"), "         0          0 4294967295\n");
        assertThat(Machine.mayLockAnything(root)).isTrue();
        Files.writeString(status, "Name:\tjava\nCapEff:\t00000000a80425fb\n");
        assertThat(Machine.mayLockAnything(root)).isFalse();
        assertThat(Machine.mayLockAnything(root.resolve("nowhere"))).isFalse();
    }

    @Test
    void capabilityWithinAUserNamespaceDoesNot() throws IOException {
        Files.writeString(root.resolve("status"), "Name:\tjava\nCapEff:\t000001ffffffffff\n");
        Files.writeString(root.resolve("uid_map"), "         0       1000          1\n");
        assertThat(Machine.mayLockAnything(root)).isFalse();
    }

    @Test
    void kernelWithoutRdmaHasNoDevice() throws IOException {
        Files.delete(classes.resolve("infiniband/mlx5_0"));
        Files.delete(classes.resolve("infiniband"));
        Unavailable answer = Obstacles.listing(machine(), Errno.ENOSYS);
        assertThat(answer.reason()).startsWith("no RDMA device");
        assertThat(answer.remedy()).contains("driver", "rdma link add");
    }

    @Test
    void withoutSysNobodyKnowsOfDevicesAndNoDriverHelps() {
        classes = root.resolve("no/sys/class");
        Unavailable answer = Obstacles.noDevice(machine());
        assertThat(answer.reason()).isEqualTo("no RDMA device can be found: " + classes + " is not there");
        assertThat(answer.remedy())
                .startsWith("mount sysfs at /sys")
                .contains("container")
                .doesNotContain("driver");
    }

    @Test
    void namesTheMissingModuleOfVerbs() throws IOException {
        Files.delete(classes.resolve("infiniband_verbs/uverbs0/ibdev"));
        Files.delete(classes.resolve("infiniband_verbs/uverbs0"));
        Files.delete(classes.resolve("infiniband_verbs/abi_version"));
        Files.delete(classes.resolve("infiniband_verbs"));
        Unavailable answer = Obstacles.listing(machine(), Errno.ENOSYS);
        assertThat(answer.reason()).contains("mlx5_0", "ib_uverbs is not loaded");
        assertThat(answer.remedy()).isEqualTo("modprobe -a ib_uverbs rdma_ucm");
    }

    @Test
    void namesTheMissingDriverOfTheLibrary() {
        Unavailable answer = Obstacles.noDevice(machine());
        assertThat(answer.reason()).contains("no driver", "mlx5_0");
        assertThat(answer.remedy()).contains("ibverbs-providers");
    }

    @Test
    void namesOtherFailuresOfTheListing() {
        assertThat(Obstacles.listing(machine(), Errno.ENOMEM).reason()).contains("cannot be listed", "ENOMEM");
    }

    @Test
    void connectionManagerIsNotNeeded() throws IOException {
        mayUse = tried -> !tried.endsWith("rdma_cm");
        assertThat(DeviceFiles.obstacle(machine(), List.of("mlx5_0"))).isEmpty();
        Files.delete(dev.resolve("rdma_cm"));
        assertThat(DeviceFiles.obstacle(machine(), List.of("mlx5_0"))).isEmpty();
        assertThat(Machine.current().absences()).hasSize(2); // neither is librdmacm
    }

    @Test
    void namesTheFileThatAContainerLacks() throws IOException {
        Files.delete(dev.resolve("uverbs0"));
        Unavailable answer = DeviceFiles.obstacle(machine(), List.of("mlx5_0")).orElseThrow();
        assertThat(answer.reason()).contains("device mlx5_0", "uverbs0");
        assertThat(answer.remedy()).contains("--device " + dev.resolve("uverbs0"));
    }

    @Test
    void namesTheFileItsGroupAndTheRemedyWhereItIsForbidden() throws IOException {
        Path file = dev.resolve("uverbs0");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        mayUse = tried -> !tried.equals(file);
        Unavailable answer = DeviceFiles.obstacle(machine(), List.of("mlx5_0")).orElseThrow();
        String group = Files.readAttributes(file, java.nio.file.attribute.PosixFileAttributes.class)
                .group()
                .getName();
        assertThat(answer.reason()).contains("no permission on " + file, "rw-------", "group " + group);
        assertThat(answer.remedy()).contains("chmod 666 " + file, "udev");
    }

    @Test
    void namesAllFilesThatAreForbiddenAndOneCommandForThem() throws IOException {
        Path file = dev.resolve("uverbs0");
        Path manager = dev.resolve("rdma_cm");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.setPosixFilePermissions(manager, PosixFilePermissions.fromString("rw-------"));
        mayUse = tried -> false;
        Unavailable answer = DeviceFiles.obstacle(machine(), List.of("mlx5_0")).orElseThrow();
        assertThat(answer.reason())
                .contains(
                        "no permission on " + file + " of device mlx5_0",
                        "no permission on " + manager + " of the connection manager");
        assertThat(answer.remedy()).startsWith("chmod 666 " + file + " " + manager + " (until the next boot), or");
    }

    @Test
    void namesTheFilesOfAllDevicesAndTheConnectionManagersOnce() throws IOException {
        addSecondDevice();
        mayUse = tried -> false;
        Unavailable answer =
                DeviceFiles.obstacle(machine(), List.of("mlx5_0", "mlx5_1")).orElseThrow();
        assertThat(answer.reason()).containsOnlyOnce("of device mlx5_0").containsOnlyOnce("of device mlx5_1");
        assertThat(answer.reason()).containsOnlyOnce("rdma_cm");
        assertThat(answer.remedy()).containsOnlyOnce("rdma_cm (until").doesNotContain("; ");
    }

    @Test
    void namesAllFilesThatAContainerLacks() throws IOException {
        Files.delete(dev.resolve("uverbs0"));
        Files.delete(dev.resolve("rdma_cm"));
        Unavailable answer = DeviceFiles.obstacle(machine(), List.of("mlx5_0")).orElseThrow();
        assertThat(answer.reason()).contains("device mlx5_0 has no file", "the connection manager has no file");
        assertThat(answer.remedy())
                .isEqualTo("modprobe -a ib_uverbs rdma_ucm; in a container also --device " + dev.resolve("uverbs0")
                        + " --device " + dev.resolve("rdma_cm"));
    }

    @Test
    void aDeviceThatTheLibraryDoesNotListForWantOfItsFileLacksNoDriver() throws IOException {
        assertThat(DeviceFiles.hidden(machine())).isEmpty();
        Files.delete(dev.resolve("uverbs0"));
        Unavailable answer = DeviceFiles.hidden(machine()).orElseThrow();
        assertThat(answer.reason()).isEqualTo("device mlx5_0 has no file " + dev.resolve("uverbs0"));
        assertThat(answer.remedy()).contains("--device " + dev.resolve("uverbs0"));
    }

    private void addSecondDevice() throws IOException {
        Files.createDirectories(classes.resolve("infiniband/mlx5_1"));
        Files.createDirectories(classes.resolve("infiniband_verbs/uverbs1"));
        Files.writeString(classes.resolve("infiniband_verbs/uverbs1/ibdev"), "mlx5_1\n");
        Files.createFile(dev.resolve("uverbs1"));
    }

    @Test
    void groupThatMayUseTheFileIsToBeJoined() {
        Path file = Path.of("/dev/infiniband/uverbs0");
        var joinable = new DeviceFiles.Permission(file, "rw-rw----", "rdma");
        assertThat(DeviceFiles.grant(List.of(joinable), "ada")).isEqualTo("usermod -aG rdma ada, then log in again");
        var ofRoot = new DeviceFiles.Permission(file, "rw-rw----", "root");
        assertThat(DeviceFiles.grant(List.of(ofRoot), "ada")).startsWith("chmod 666 " + file);
        var unwritable = new DeviceFiles.Permission(file, "rw-r-----", "rdma");
        assertThat(DeviceFiles.grant(List.of(unwritable), "ada")).startsWith("chmod 666 " + file);
    }

    @Test
    void groupsOfSeveralFilesAreJoinedAtOnce() {
        var verbs = new DeviceFiles.Permission(Path.of("/dev/infiniband/uverbs0"), "rw-rw----", "rdma");
        var manager = new DeviceFiles.Permission(Path.of("/dev/infiniband/rdma_cm"), "rw-rw----", "cm");
        assertThat(DeviceFiles.grant(List.of(verbs, manager), "ada"))
                .isEqualTo("usermod -aG rdma,cm ada, then log in again");
        var ofRoot = new DeviceFiles.Permission(manager.path(), "rw-------", "root");
        assertThat(DeviceFiles.grant(List.of(verbs, ofRoot), "ada"))
                .startsWith("chmod 666 /dev/infiniband/uverbs0 /dev/infiniband/rdma_cm (until the next boot), or");
    }

    @Test
    void tellsThatNoPortIsActive() {
        Unavailable roce = Obstacles.noActivePort(info("rxe0", Transport.ROCE));
        assertThat(roce.reason()).isEqualTo("device rxe0 has no active port");
        assertThat(roce.remedy()).contains("ip link set");
        assertThat(Obstacles.noActivePort(info("mlx5_0", Transport.INFINIBAND)).remedy())
                .contains("subnet manager");
    }

    @Test
    void takesReasonAndRemedyOfAFailedCallApart() {
        var failure = new ResourceException("ibv_open_device", "device mlx5_0: EIO; remedy: check dmesg", Errno.EIO);
        assertThat(Obstacles.failure("mlx5_0", failure))
                .isEqualTo(new Unavailable(
                        "device mlx5_0 cannot be used: ibv_open_device: device mlx5_0: EIO", "check dmesg"));
    }

    @Test
    void severalDevicesTellTheirObstaclesTogether() {
        assertThat(Obstacles.together(List.of(
                        new Unavailable("device a has no active port", "plug it"),
                        new Unavailable("device b has no active port", "plug it"))))
                .isEqualTo(new Unavailable("device a has no active port; device b has no active port", "plug it"));
    }

    private static DeviceInfo info(String name, Transport transport) {
        return new DeviceInfo(name, transport, "", "", 0, List.of());
    }

    private Machine machine() {
        return new Machine(
                mismatch, List.of(() -> denial, () -> ibverbs), flag, new Sysfs(classes), dev, mayUse, memlock);
    }
}
