package org.panamaverbs.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.api.device.ProviderReport;
import org.panamaverbs.cli.CommandRun;
import org.panamaverbs.cli.command.ExitStatus;

/** A good machine and broken ones, as their files show them, and the one that the test runs on. */
class DoctorCommandTest {
    private static final String PORT = "sys/class/infiniband/mlx5_0/ports/1/";

    @TempDir
    Path root;

    private FileTree machine;

    @BeforeEach
    void makeAGoodMachine() {
        machine = FileTree.good(root);
    }

    private CommandRun doctor(String... more) {
        return CommandRun.of(IntStream.rangeClosed(0, more.length + 1)
                .mapToObj(i -> i == 0 ? "doctor" : i == 1 ? "--root=" + root : more[i - 2])
                .toArray(String[]::new));
    }

    /** Returns what is printed of the findings that are not ok, without the line of their numbers. */
    private List<String> problems() {
        List<String> lines = doctor("-q").lines();
        return lines.subList(0, lines.size() - 1).stream().map(String::strip).toList();
    }

    @Test
    void goodMachineHasNothingToMend() {
        CommandRun run = doctor();

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.err()).isEmpty();
        assertThat(run.lines())
                .containsExactly(
                        "ok       devices: mlx5_0 (InfiniBand or RoCE)",
                        "ok       modules: ib_uverbs and rdma_ucm are loaded",
                        "ok       device files: user 424242 has permission to use /dev/infiniband/uverbs0 /dev/infiniband/rdma_cm",
                        "ok       libraries: libibverbs and librdmacm of rdma-core 44.0",
                        "ok       ports: mlx5_0 port 1 is active, 100 Gb/sec (4X EDR), interface ens1",
                        "ok       GIDs: mlx5_0 port 1: index 3 192.0.2.1",
                        "ok       MTU: interface ens1 of mlx5_0 port 1 has MTU 9000: packets of RDMA hold 4096 bytes",
                        "note     PFC, ECN: mlx5_0 port 1: files do not show the flow control",
                        "         remedy   compare PFC, trust and DSCP with the switch's: RoCE without PFC or ECN loses"
                                + " packets under load",
                        "         command  dcb pfc show dev ens1; dcb app show dev ens1",
                        "ok       memlock: this process may lock any amount of memory",
                        "ok       huge pages: 2048kB: 500 of 512 free",
                        "ok       shared memory: kernel 6.1.0-18-amd64 seals shared memory: the option shm of iwarp"
                                + " can be"
                                + " used",
                        "ok       clock: clock source tsc",
                        "ok       NUMA: mlx5_0 is on node 1 of 2, processors 4-7",
                        "errors 0, warnings 0, notes 1, ok 12");
    }

    @Test
    void withoutSysNothingIsKnownOfDevices() {
        machine.remove("sys/class");

        assertThat(doctor().out())
                .contains(
                        "error    devices: /sys/class, where the kernel lists its devices, does not exist",
                        "command  mount -t sysfs sysfs /sys")
                .doesNotContain("load the adapter's driver");
    }

    @Test
    void machineWithoutDeviceIsToldHowToMakeOne() {
        machine.remove("sys/class/infiniband");
        machine.remove("sys/class/infiniband_verbs");
        machine.remove("sys/class/misc");

        assertThat(doctor().status()).isEqualTo(ExitStatus.FAILED);
        assertThat(problems())
                .containsExactly(
                        "error    devices: the kernel has no RDMA device in /sys/class/infiniband",
                        "remedy   load the adapter's driver (lspci -k names it), or create a software device on an"
                                + " Ethernet interface",
                        "command  modprobe rdma_rxe && rdma link add rxe0 type rxe netdev ens1");

        machine.remove("lib/modules");

        assertThat(problems())
                .hasSize(2)
                .last()
                .asString()
                .contains("kernel 6.1.0-18-amd64 has no modules", "the provider iwarp needs none");
    }

    @Test
    void machineWithoutModulesAndLibrariesIsToldWhichToLoadAndInstall() {
        machine.remove("sys/class/infiniband_verbs");
        machine.remove("sys/class/misc/rdma_cm");
        machine.remove("usr/lib/x86_64-linux-gnu/librdmacm.so.1.3.44.0");

        assertThat(doctor().status()).isEqualTo(ExitStatus.FAILED);
        assertThat(problems())
                .contains(
                        "error    modules: the kernel's devices are not available to programs: ib_uverbs and rdma_ucm"
                                + " not"
                                + " loaded",
                        "command  modprobe -a ib_uverbs rdma_ucm",
                        "error    libraries: librdmacm.so.1 not found where the system searches for libraries",
                        "command  apt install librdmacm1");

        machine.put("usr/lib/x86_64-linux-gnu/librdmacm.so.1.3.56.0", "");
        machine.remove("etc/libibverbs.d");

        assertThat(problems())
                .contains(
                        "warning  libraries: libibverbs is of rdma-core 44.0, librdmacm of 56.0",
                        "error    libraries: libibverbs has no drivers in /etc/libibverbs.d: it finds none of the"
                                + " kernel's devices",
                        "command  apt install ibverbs-providers");
    }

    @Test
    void machineThatKeepsItsDevicesAndMemoryFromTheUserIsToldWhatToAllow() {
        machine.device("dev/infiniband/uverbs0", "rw-rw----");
        machine.remove("dev/infiniband/rdma_cm");
        machine.put("proc/self/limits", "Max locked memory         65536                65536                bytes");

        assertThat(doctor().status()).isEqualTo(ExitStatus.FAILED);
        assertThat(problems())
                .contains(
                        "error    device files: /dev/infiniband/rdma_cm is missing, although the kernel has the device",
                        "error    device files: user 424242 has no permission to read and write /dev/infiniband/uverbs0",
                        "command  chmod a+rw /dev/infiniband/uverbs0",
                        "error    memlock: this process may lock 64 KiB, less than the 1024 KiB that registration"
                                + " needs",
                        "command  ulimit -l unlimited");
    }

    @Test
    void capabilitiesCountAsTheKernelCountsThem() {
        machine.device("dev/infiniband/uverbs0", "rw-------");
        machine.put("proc/self/limits", "Max locked memory         65536                65536                bytes");
        machine.put(
                "proc/self/status",
                FileTree.status(424_242, "0-7").replace("CapEff:\t0000000000000000", "CapEff:\t0000000000004002"));

        assertThat(doctor().status()).isEqualTo(ExitStatus.OK);
    }

    @Test
    void rootOfAUserNamespaceHasTheLimitOfItsUser() {
        machine.put("proc/self/limits", "Max locked memory         65536                65536                bytes");
        machine.put(
                "proc/self/status",
                FileTree.status(0, "0-7").replace("CapEff:\t0000000000000000", "CapEff:\t000001ffffffffff"));
        machine.put("proc/self/uid_map", "         0       1000          1");

        assertThat(doctor().out()).contains("error    memlock: this process may lock 64 KiB, less than the 1024 KiB");
    }

    @Test
    void machineWhosePortIsDownIsToldToBringItUp() {
        machine.put(PORT + "state", "1: DOWN");
        machine.put(PORT + "phys_state", "3: Disabled");

        assertThat(doctor().status()).isEqualTo(ExitStatus.FAILED);
        assertThat(problems())
                .containsExactly(
                        "error    ports: mlx5_0 port 1 is not active: state DOWN, physical state 3: Disabled",
                        "remedy   bring its network interface up; if it has no carrier, check cable and switch",
                        "command  ip link set ens1 up");

        machine.put(PORT + "link_layer", "InfiniBand");
        machine.put(PORT + "state", "2: INIT");

        assertThat(problems())
                .contains("command  systemctl enable --now opensm")
                .first()
                .asString()
                .contains("state INIT");
    }

    @Test
    void machineOfAnUntidyFabricIsToldOfAddressesPacketsAndLosses() {
        machine.remove(PORT + "gids/3");
        machine.put("sys/class/net/ens1/mtu", "1500");
        machine.put(PORT + "hw_counters/out_of_sequence", "17");
        machine.put(PORT + "hw_counters/rnr_nak_retry_err", "0");
        machine.put("sys/class/net/ens1/ecn/roce_np/enable/0", "0");
        machine.put("sys/class/net/ens1/ecn/roce_np/enable/3", "1");

        assertThat(doctor().status()).isEqualTo(ExitStatus.OK);
        assertThat(problems())
                .contains(
                        "warning  GIDs: mlx5_0 port 1 has only link-local GIDs: connections to IP addresses do not"
                                + " find it",
                        "command  ip address add ADDRESS/PREFIX dev ens1",
                        "note     MTU: interface ens1 of mlx5_0 port 1 has MTU 1500: packets of RDMA hold 1024 bytes,"
                                + " at most 4096 are possible",
                        "command  ip link set ens1 mtu 4200",
                        "note     PFC, ECN: mlx5_0 port 1: ECN on for priorities [3]",
                        "note     losses: mlx5_0 port 1 has had losses since it came up: out_of_sequence 17",
                        "command  rdma statistic show link mlx5_0/1");

        machine.put(PORT + "gid_attrs/types/1", "IB/RoCE v1");
        machine.gid(3, "0000:0000:0000:0000:0000:ffff:c000:0201", "IB/RoCE v1");

        assertThat(problems()).anyMatch(line -> line.startsWith("warning  GIDs: mlx5_0 port 1 has no RoCE v2 address"));
    }

    @Test
    void slowMachineIsToldOfItsClockItsNodesAndItsPages() {
        machine.put("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet");
        machine.put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave");
        machine.put("proc/self/status", FileTree.status(424_242, "0-2"));
        machine.put("proc/self/limits", "Max locked memory         8388608              8388608              bytes");
        machine.put("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "0");
        machine.put("proc/sys/vm/memfd_noexec", "2");

        assertThat(doctor().status()).isEqualTo(ExitStatus.OK);
        assertThat(problems())
                .contains(
                        "warning  memlock: this process may lock 8192 KiB: registration fails with ENOMEM beyond"
                                + " that; queues of adapters count, too",
                        "note     huge pages: none are reserved: large buffers use small pages",
                        "command  sysctl -w vm.nr_hugepages=512",
                        "command  sysctl -w vm.memfd_noexec=1",
                        "warning  clock: clock source hpet is read with a system call, which slows down waits and"
                                + " measurements",
                        "command  echo tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource",
                        "command  cpupower frequency-set -g performance",
                        "warning  NUMA: mlx5_0 is on node 1 (processors 4-7), this process may only run on 0-2",
                        "command  numactl --cpunodebind=1 --membind=1 java ...");
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, true", "3, true"})
    void whatKeepsProcessesFromEachOthersMemoryIsTold(String scope, boolean told) {
        machine.put("proc/sys/kernel/yama/ptrace_scope", scope);

        assertThat(problems().stream()
                        .anyMatch(line ->
                                line.startsWith("note     direct access: kernel.yama.ptrace_scope is " + scope)))
                .isEqualTo(told);
    }

    @Test
    void processorsInAnyOrderAreRead() {
        machine.put("sys/devices/system/node/node1/cpulist", "7-4");

        assertThat(doctor().out()).contains("NUMA: mlx5_0 is on node 1 of 2, processors 7-4");
    }

    @Test
    void softwareDeviceIsNotToldOfSettingsThatItHasNot() {
        machine.remove("sys/class/infiniband/mlx5_0/device");

        assertThat(problems()).isEmpty();
        assertThat(doctor().out()).contains("mlx5_0 (InfiniBand or RoCE, software)");
    }

    @Test
    void interfaceOfAnIwarpDeviceIsKnownByItsHardwareAddress() {
        machine.remove(PORT + "gids");
        machine.remove(PORT + "gid_attrs");
        machine.put("sys/class/infiniband/mlx5_0/node_type", "4: RNIC");
        machine.put(PORT + "gids/0", "5254:0012:3456:0000:0000:0000:0000:0000");
        machine.put("sys/class/net/ens1/address", "52:54:00:12:34:56");
        machine.put(PORT + "state", "1: DOWN");

        assertThat(problems()).contains("command  ip link set ens1 up").noneMatch(line -> line.contains("GID"));
    }

    @Test
    void jsonCarriesTheSame() {
        machine.put(PORT + "state", "1: DOWN");

        CommandRun run = doctor("--json");

        assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
        JsonObject report = JsonParser.parseString(run.out()).getAsJsonObject();
        assertThat(report.get("error").getAsInt()).isEqualTo(1);
        JsonObject error = report.getAsJsonArray("findings").asList().stream()
                .map(finding -> finding.getAsJsonObject())
                .filter(finding -> finding.get("severity").getAsString().equals("error"))
                .findFirst()
                .orElseThrow();
        assertThat(error.get("check").getAsString()).isEqualTo("ports");
        assertThat(error.get("command").getAsString()).isEqualTo("ip link set ens1 up");
    }

    /** What a check of a live machine adds, of which everything but the process itself is in the tree. */
    private Findings asked(Consumer<Findings> before) {
        Findings findings = new Findings();
        before.accept(findings);
        new JavaCheck().look(new MachineTree(root, true), findings);
        return findings;
    }

    private static List<String> texts(Findings findings, Severity severity) {
        return findings.all().stream()
                .filter(finding -> finding.severity() == severity)
                .map(finding -> finding.check() + ": " + finding.text())
                .toList();
    }

    private static boolean usable(String name) {
        return Verbs.providers().stream()
                .anyMatch(report ->
                        report.name().equals(name) && report.availability() instanceof Availability.Available);
    }

    /** One fact, one finding, one remedy; and what goes without RDMA devices goes. */
    @Test
    void aMachineWithoutRdmaDevicesIsNoFailureWhereIwarpCanBeUsed() {
        assumeFalse(usable("ibverbs"), "this machine has RDMA devices");
        machine.remove("sys/class/infiniband");
        machine.remove("lib/modules");
        Findings findings = asked(before -> new KernelCheck().look(new MachineTree(root, true), before));

        assertThat(texts(findings, Severity.ERROR)).isEmpty();
        assertThat(texts(findings, Severity.WARNING))
                .containsExactly("devices: the kernel has no RDMA device in /sys/class/infiniband");
        assertThat(findings.all())
                .filteredOn(finding -> finding.check().equals("provider ibverbs"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Severity.NOTE);
                    assertThat(finding.text()).startsWith("cannot be used: ");
                    assertThat(finding.remedy()).isEqualTo("fix the findings above: devices");
                });
    }

    @Test
    void aMachineWithADeviceThatCannotBeUsedIsAFailure() {
        assumeFalse(usable("ibverbs"), "this machine has RDMA devices");
        Findings alone = asked(before -> {});

        assertThat(texts(alone, Severity.ERROR))
                .singleElement()
                .asString()
                .startsWith("provider ibverbs: cannot be used");

        machine.remove("sys/class/misc");
        Findings explained = asked(before -> new KernelCheck().look(new MachineTree(root, true), before));
        assertThat(texts(explained, Severity.ERROR)).singleElement().asString().startsWith("modules: ");
    }

    @ParameterizedTest
    @CsvSource({"ibverbs, devices: the kernel has no RDMA device", "nosuch, environment: no provider is named nosuch"})
    void whatTheEnvironmentAsksForIsNeeded(String provider, String error) {
        assumeFalse(usable("ibverbs"), "this machine has RDMA devices");
        machine.remove("sys/class/infiniband");
        System.setProperty("verbs.provider", provider);
        try {
            Findings findings = asked(before -> new KernelCheck().look(new MachineTree(root, true), before));

            assertThat(texts(findings, Severity.ERROR)).anyMatch(text -> text.startsWith(error));
        } finally {
            System.clearProperty("verbs.provider");
        }
    }

    /** Here nothing is known of the machine, but the process itself is: what can be opened is no failure. */
    @Test
    void thisMachineIsJudgedAsItsProvidersJudgeIt() {
        CommandRun run = CommandRun.of("doctor");

        assertThat(run.err()).isEmpty();
        for (ProviderReport report : Verbs.providers()) {
            assertThat(run.out())
                    .contains("provider " + report.name()
                            + (usable(report.name()) ? ": can be used" : ": cannot be used"));
        }
        assertThat(run.out()).contains("Java: JDK " + Runtime.version());
        if (!Files.exists(Path.of("/sys/class/infiniband"))) {
            assertThat(run.status()).isEqualTo(ExitStatus.OK);
            assertThat(run.out()).contains("warning  devices: ");
        }
    }
}
