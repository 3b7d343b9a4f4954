package org.panamaverbs.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.cli.CommandRun;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.PeerProcess;

/** What a bundle holds of a machine and its device, and what becomes of it where something is in the way. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BundleTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** What a machine has of its own, in the forms that files and drivers show it in. */
    private static final List<String> PRIVATE = List.of(
            "node17",
            "cluster.example",
            "storage-3",
            "alice",
            "Alice Liddell",
            "/home/alice",
            "/data/secret-project",
            "192.0.2.1",
            "198.51.100.77",
            "0000:0000:0000:0000:0000:ffff:c000:0201",
            "2001:db8::17",
            "2001:0db8:0000:0000:0000:0000:0000:0017",
            "fe80:0000:0000:0000:0ac0:ebff:fe12:3456",
            "08:c0:eb:12:34:56",
            "08c0eb123456",
            "08-c0-eb-12-34-56",
            "b8:ce:f6:03:00:aa:bb:cc",
            "08c0:eb03:0012:3456",
            "08c0eb0300123456",
            "0002c903000abcde",
            "0002:c903:000a:bcde",
            "8c0eb0300123456", // as Long.toHexString has it
            "guid:0c42:a103:0065:2a3c",
            "mac:aa:bb:cc:dd:ee:ff",
            "addr:fe80::5054:ff:fe12:3456",
            "/dev-data/acme/keys",
            "MT2117X01234",
            "4c4c4544-0042-3510-8053-b4c04f564433",
            "6f9619ff8b86d011b42d00cf4fc964ff",
            "424242",
            "hunter2-hunter2",
            "-Dpassword=tell-nobody");

    /** What is not private, and what a maintainer wants to see as it is. */
    private static final List<String> WANTED = List.of(
            "218.0.219.13",
            "0000:3b:00.0",
            "0x0000001425321c36",
            "mlx5_0",
            "/dev/infiniband/uverbs0",
            "127.0.0.1",
            "12:34:56");

    @TempDir
    private Path directory;

    private FileTree tree;
    private Path target;
    private Map<String, String> environment =
            Map.of("USER", "alice", "API_TOKEN", "hunter2-hunter2", "JAVA_TOOL_OPTIONS", "-Dpassword=tell-nobody");

    @BeforeEach
    void makeAMachineWithSecrets() throws IOException {
        tree = FileTree.good(Files.createDirectory(directory.resolve("machine")));
        tree.put("proc/sys/kernel/hostname", "node17");
        tree.put("etc/hostname", "node17.cluster.example");
        tree.put("etc/hosts", "127.0.0.1 localhost\n198.51.100.77 storage-3.cluster.example storage-3");
        tree.put("etc/resolv.conf", "nameserver 198.51.100.77\nsearch cluster.example");
        tree.put(
                "etc/passwd",
                "root:x:0:0:root:/root:/bin/bash\nalice:x:424242:100:Alice Liddell,,,:/home/alice:/bin/sh");
        tree.put("etc/machine-id", "6f9619ff8b86d011b42d00cf4fc964ff");
        tree.put("sys/class/net/ens1/address", "08:c0:eb:12:34:56");
        tree.put("sys/class/dmi/id/product_serial", "MT2117X01234");
        tree.put("sys/class/infiniband/mlx5_0/node_guid", "08c0:eb03:0012:3456");
        tree.put("sys/class/infiniband/mlx5_0/sys_image_guid", "08c0:eb03:0012:3456");
        tree.put("sys/class/infiniband/mlx5_0/node_desc", "node17 mlx5_0");
        tree.put("sys/class/infiniband/mlx5_0/fw_ver", "218.0.219.13");
        tree.put("sys/class/infiniband/mlx5_0/board_id", "MT_0000000223");
        tree.gid(4, "2001:0db8:0000:0000:0000:0000:0000:0017", "RoCE v2");
        target = Files.createDirectory(directory.resolve("out")).resolve("report.zip");
    }

    private MachineTree machine() {
        return new MachineTree(tree.root(), true);
    }

    private Bundle bundle(BundlePart... parts) {
        Bundle bundle = new Bundle(machine(), environment, new PrintWriter(new StringWriter()));
        bundle.add("machine.json", "the machine", MachineFacts::json);
        bundle.addAll(List.of(parts));
        return bundle;
    }

    private static BundlePart part(String file, Duration limit, String script) {
        return new BundlePart(file, "a part", List.of("sh", "-c", script), Set.of(0), limit, "");
    }

    private static Map<String, String> contents(Path archive) throws IOException {
        Map<String, String> contents = new LinkedHashMap<>();
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (var entry : zip.stream().toList()) {
                contents.put(
                        entry.getName(), new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return contents;
    }

    private static JsonObject file(String manifest, String name) {
        for (JsonElement each :
                JsonParser.parseString(manifest).getAsJsonObject().getAsJsonArray("files")) {
            if (each.getAsJsonObject().get("file").getAsString().equals(name)) {
                return each.getAsJsonObject();
            }
        }
        throw new AssertionError("no file " + name + " in " + manifest);
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("out"))) {
            return files.toList();
        }
    }

    private static void assertNothingPrivate(Map<String, String> contents) {
        contents.forEach((name, text) -> {
            for (String each : PRIVATE) {
                assertThat(text.toLowerCase(Locale.ROOT)).as(name).doesNotContain(each.toLowerCase(Locale.ROOT));
            }
        });
    }

    @Test
    void noByteOfAnyFileIsPrivate() throws IOException {
        List<String> told = new ArrayList<>();
        for (String each : Stream.concat(PRIVATE.stream(), WANTED.stream()).toList()) {
            told.addAll(List.of(each, "NODE17 says: " + each + ": gone", "(" + each + ")", "x=\"" + each + "\","));
        }
        told.add("user 424242 has permission to use /dev/infiniband/uverbs0");
        told.add("at file:/data/secret-project/lib.jar!/x, enx08c0eb123456, node17.cluster.example:18515");
        told.add("Picked up JAVA_TOOL_OPTIONS: -Dpassword=tell-nobody and more");
        told.removeIf(line -> line.contains("218.0.219.13")
                || line.equals("424242")
                || line.contains("424242:")
                || line.contains("(424242")
                || line.contains("\"424242"));
        Path text = Files.write(directory.resolve("told.txt"), told);
        JsonObject json = new JsonObject();
        PRIVATE.stream()
                .filter(each -> !each.equals("424242"))
                .forEach(each -> json.addProperty("of " + json.size(), each));
        json.addProperty("nodeGuid", "1234567");
        json.addProperty("firmware", "218.0.219.13");
        json.addProperty("pciAddress", "0000:3b:00.0");
        Path devices = Files.writeString(directory.resolve("told.json"), json.toString());

        boolean good = bundle(
                        part("devinfo.json", LONG, "cat " + devices + "; cat >&2 " + text),
                        part("suite.txt", LONG, "cat " + text))
                .write(target, false);

        assertThat(good).isTrue();
        Map<String, String> contents = contents(target);
        assertThat(contents.keySet()).containsExactly("manifest.json", "machine.json", "devinfo.json", "suite.txt");
        assertNothingPrivate(contents);
        assertThat(contents.get("devinfo.json")).doesNotContain("1234567").contains("218.0.219.13", "0000:3b:00.0");
        assertThat(contents.get("machine.json"))
                .contains("218.0.219.13", "6.1.0-18-amd64", "MT_0000000223", "JAVA_TOOL_OPTIONS", "RoCE v2, IPv4");
        assertThat(contents.get("suite.txt"))
                .contains(WANTED.subList(1, WANTED.size()))
                .contains("user <user-", "Picked up <options-1>");
    }

    @Test
    void aCopyOfAnotherMachineGivesFindingsWithNothingPrivate() throws IOException {
        CommandRun run = CommandRun.of("doctor", "--root=" + tree.root(), "--bundle=" + target);

        assertThat(run.status()).as(run.err()).isEqualTo(ExitStatus.OK);
        assertThat(run.out())
                .contains("wrote " + target, "suite.txt           left out", "Read it before you send it")
                .contains("left out: host and user names");
        Map<String, String> contents = contents(target);
        assertThat(contents.keySet()).containsExactly("manifest.json", "machine.json", "doctor.json");
        assertNothingPrivate(contents);
        assertThat(contents.get("doctor.json")).contains("GIDs", "index 3 <address-");
    }

    @Test
    void aValueHasOnePlaceholderInAllFiles() throws IOException {
        bundle(part("a.txt", LONG, "echo from 203.0.113.9"), part("b.txt", LONG, "echo 203.0.113.10 203.0.113.9"))
                .write(target, false);

        Map<String, String> contents = contents(target);
        String first = contents.getOrDefault("a.txt", "").replace("from ", "").strip();
        assertThat(first).matches("<address-\\d+>");
        assertThat(contents.getOrDefault("b.txt", "").strip())
                .endsWith(" " + first)
                .doesNotStartWith(first);
    }

    @Test
    void aPartThatHangsTimesOutAndTheRestGoesOn() throws IOException {
        boolean good = bundle(
                        part(
                                "hangs.txt",
                                Duration.ofMillis(500),
                                "echo before; printf 'half 08:c0:eb:12'; exec sleep 1000"),
                        part("fails.txt", LONG, "echo no device >&2; exit 3"),
                        part("good.txt", LONG, "echo after; echo chatter >&2"))
                .write(target, false);

        assertThat(good).isFalse();
        Map<String, String> contents = contents(target);
        assertThat(contents.get("hangs.txt")).isEqualTo("before\n");
        assertThat(contents.get("good.txt")).contains("after");
        String manifest = contents.getOrDefault("manifest.json", "");
        assertThat(file(manifest, "hangs.txt").get("state").getAsString()).isEqualTo("timed out");
        assertThat(file(manifest, "fails.txt").get("state").getAsString()).isEqualTo("failed");
        assertThat(file(manifest, "fails.txt").get("said").getAsString()).isEqualTo("no device");
        assertThat(file(manifest, "good.txt").get("state").getAsString()).isEqualTo("ok");
        assertThat(file(manifest, "good.txt").has("said")).isFalse();
    }

    @Test
    void withoutADeviceThereAreFactsOnly() throws IOException {
        bundle(
                        part(Bundle.DEVICES, LONG, "echo '{\"failure\": \"none\"}'; exit 1"),
                        part("suite.txt", LONG, "echo ran"))
                .write(target, false);

        String manifest = contents(target).getOrDefault("manifest.json", "");
        assertThat(file(manifest, "suite.txt").get("state").getAsString()).isEqualTo("left out");
        assertThat(file(manifest, "suite.txt").get("said").getAsString()).startsWith("no device can be opened");
        assertThat(contents(target)).doesNotContainKey("suite.txt");
    }

    @Test
    void aPartWithoutCommandSaysWhyItIsLeftOut() throws IOException {
        bundle(new BundlePart("suite.txt", "the suite", List.of(), Set.of(), LONG, "it is not here"))
                .write(target, false);

        assertThat(file(contents(target).getOrDefault("manifest.json", ""), "suite.txt")
                        .get("said")
                        .getAsString())
                .isEqualTo("it is not here");
    }

    @Test
    void anExistingFileIsReplacedByForceAlone() throws IOException {
        Files.writeString(target, "mine");

        CommandRun refused = CommandRun.of("doctor", "--root=" + tree.root(), "--bundle=" + target);

        assertThat(refused.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(refused.err()).contains(target + " exists; remedy: name another file, or add --force");
        assertThat(target).hasContent("mine");

        CommandRun forced = CommandRun.of("doctor", "--root=" + tree.root(), "--bundle=" + target, "--force");

        assertThat(forced.status()).isEqualTo(ExitStatus.OK);
        assertThat(contents(target)).containsKey("manifest.json");
    }

    /** The parts may have taken half an hour: neither file is lost. */
    @Test
    void aFileThatAppearsMeanwhileIsKeptWithoutForce() throws IOException {
        Path taken = target.resolveSibling("report-1.zip");
        Bundle bundle = bundle(part("a.txt", LONG, "echo mine > " + target + "; echo mine > " + taken));

        assertThat(bundle.write(target, false)).isTrue();

        assertThat(target).hasContent("mine");
        assertThat(taken).hasContent("mine");
        Path written = target.resolveSibling("report-2.zip");
        assertThat(contents(written)).containsKey("manifest.json");
        StringWriter out = new StringWriter();
        bundle.print(new PrintWriter(out));
        assertThat(out.toString()).contains("wrote " + written);
        assertThat(left()).hasSize(3);
    }

    /** Others than its owner cannot read a report, and sudo is asked for what only root can read. */
    @Test
    void underSudoTheUserOwnsIt() throws IOException {
        assumeTrue(Integer.valueOf(0).equals(Files.getAttribute(directory, "unix:uid")), "not root");
        environment = Map.of("SUDO_UID", "4711", "SUDO_GID", "4712", "USER", "alice");

        bundle(part("a.txt", LONG, "echo a")).write(target, false);

        assertThat(Files.getAttribute(target, "unix:uid")).isEqualTo(4711);
        assertThat(Files.getAttribute(target, "unix:gid")).isEqualTo(4712);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
                .isEqualTo("rw-------");
    }

    /** Two letters are a word of any text, too. */
    @Test
    void shortNamesAreReplacedWhereAHostStands() throws IOException {
        tree.put("etc/hosts", "198.51.100.78 db io\n198.51.100.79 of.cluster.example of");
        bundle(part(
                        "a.txt",
                        LONG,
                        "echo 'io error of db 3; tcp://db root@io io:18515 of.cluster.example peer db, host io, io.netty"
                                + "; hostname=db x.UnknownHostException: db: db: Name or service not known"
                                + "; db/198.51.100.1:18515 db.lan'"))
                .write(target, false);

        assertThat(contents(target).getOrDefault("a.txt", "").strip())
                .matches("io error of db 3; tcp://<host-\\d> root@<host-\\d> <host-\\d>:18515 <host-\\d> peer"
                        + " <host-\\d>, host <host-\\d>, io.netty; hostname=<host-\\d> x.UnknownHostException: <host-\\d>:"
                        + " <host-\\d>: Name or service not known; <host-\\d><path-\\d>:18515 <host-\\d>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "missing/report.zip",
                "report.tar",
                "out/directory.zip",
                "report.zip -q",
                "report.zip --timeout=0"
            })
    void whatCannotBeMeantIsRefused(String arguments) throws IOException {
        Files.createDirectory(directory.resolve("out/directory.zip"));
        List<String> all = new ArrayList<>(List.of("doctor", "--force", "--root=" + tree.root()));
        List<String> words = List.of(arguments.split(" "));
        all.add("--bundle=" + directory.resolve(words.getFirst()));
        all.addAll(words.subList(1, words.size()));

        assertThat(CommandRun.of(all.toArray(String[]::new)).status()).isEqualTo(ExitStatus.USAGE);
        assertThat(CommandRun.of("doctor", "--force").status()).isEqualTo(ExitStatus.USAGE);
    }

    /** As on a file system that is full: the process may write no more than a block. */
    @Test
    void withoutSpaceThereIsNoFileAndAReason() throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -f 1; exec \"$@\"", "sh"));
        List<String> flags = new ArrayList<>(PeerProcess.QUICK_START);
        command.addAll(PeerProcess.command(flags, List.of("doctor", "--root=" + tree.root(), "--bundle=" + target)));
        for (int i = 0; i < 300; i++) {
            tree.put(
                    "etc/libibverbs.d/a%d%x.driver"
                            .formatted(i, Integer.toString(i).hashCode() * 31),
                    "");
        }

        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isEqualTo(ExitStatus.FAILED);
        assertThat(said).contains("write " + target + ": File too large; remedy: ");
        assertThat(left()).isEmpty();
    }

    @Test
    void anInterruptLeavesNoFile() throws Exception {
        Thread here = Thread.currentThread();
        Path running = directory.resolve("running");
        Thread.ofPlatform().daemon().start(() -> {
            while (!Files.exists(running)) {
                Thread.onSpinWait();
            }
            here.interrupt();
        });
        Bundle bundle = bundle(part("hangs.txt", LONG, "touch " + running + "; exec sleep 1000"));

        assertThatThrownBy(() -> bundle.write(target, false))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("interrupted, nothing was written");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(left()).isEmpty();
    }
}
