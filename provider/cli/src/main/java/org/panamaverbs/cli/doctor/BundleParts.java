package org.panamaverbs.cli.doctor;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.PeerProcess;

/** What a bundle asks of the device, each in a process of its own. */
final class BundleParts {
    private static final int LIMIT_SECONDS = 120;
    private static final int SUITE_SECONDS = 1_800;
    /** A case of the suite that takes longer hangs. */
    private static final int HUNG_SECONDS = 120;

    /** Less than a measurement has: it is asked whether the device works, and roughly how fast. */
    private static final String WARM_UP = "5000";

    private static final String RUNNER = "org.panamaverbs.testkit.SuiteRun";
    private static final String SUITE = "org.panamaverbs.testkit.conformance.DeviceSuite";
    /** Directories with the testkit and its libraries, which {@code ./verbs} sets. */
    private static final String TESTKIT = "verbs.testkit";

    private static final String WITHOUT_SUITE =
            "the conformance suite is not among the jars here; in a checkout ./verbs doctor --bundle runs it";

    private static final Set<Integer> OK = Set.of(ExitStatus.OK);

    private BundleParts() {}

    /** Returns the parts, findings first and then devices; {@code seconds} limits each unless it is null. */
    static List<BundlePart> of(@Nullable Integer seconds) {
        Duration limit = Duration.ofSeconds(seconds == null ? LIMIT_SECONDS : seconds);
        List<BundlePart> parts = new ArrayList<>();
        // With errors found it ends with 1.
        parts.add(new BundlePart(
                "doctor.json",
                "what verbs doctor finds",
                verbs(List.of(), "doctor", "--json"),
                Set.of(ExitStatus.OK, ExitStatus.FAILED),
                limit,
                ""));
        parts.add(new BundlePart(
                Bundle.DEVICES,
                "providers, devices, capabilities, ports and counters: verbs devinfo -v",
                verbs(List.of("-Dverbs.log=DEBUG"), "devinfo", "-v", "--json"),
                OK,
                limit,
                ""));
        parts.add(suite(Duration.ofSeconds(seconds == null ? SUITE_SECONDS : seconds)));
        for (String test : List.of("write_lat", "send_lat", "read_lat", "write_bw")) {
            parts.add(new BundlePart(
                    "perf-" + test.replace('_', '-') + ".json",
                    "verbs perf " + test + " within the device",
                    verbs(List.of(), "perf", test, "--loopback", "--json", "--warm-up", WARM_UP),
                    OK,
                    limit,
                    ""));
        }
        return parts;
    }

    private static List<String> verbs(List<String> properties, String... arguments) {
        List<String> flags = new ArrayList<>(PeerProcess.QUICK_START);
        if (arguments[0].equals("perf")) {
            flags.remove("-XX:TieredStopAtLevel=1");
        }
        flags.addAll(properties);
        return PeerProcess.command(flags, List.of(arguments));
    }

    private static BundlePart suite(Duration limit) {
        List<Path> path = Stream.concat(
                        Stream.of(System.getProperty(TESTKIT, "").split(File.pathSeparator)),
                        PeerProcess.paths().stream())
                .filter(each -> !each.isEmpty())
                .flatMap(each -> withJars(Path.of(each)))
                .distinct()
                .toList();
        List<String> command = List.of();
        if (has(path, RUNNER)) {
            command = PeerProcess.java(List.of(
                    "-XX:+UseSerialGC",
                    "-XX:-UsePerfData",
                    "--enable-native-access=ALL-UNNAMED",
                    "-Dsuite.hung=" + HUNG_SECONDS));
            command.addAll(List.of(
                    "-cp",
                    String.join(
                            File.pathSeparator,
                            path.stream().map(Path::toString).toList()),
                    RUNNER,
                    ".",
                    SUITE));
        }
        String about = "the conformance suite within the device: what failed, passed and was skipped, and why";
        return new BundlePart("suite.txt", about, command, OK, limit, WITHOUT_SUITE);
    }

    /** Returns {@code entry} of a path and, as a module path has it, the jars in that directory. */
    private static Stream<Path> withJars(Path entry) {
        try (Stream<Path> files = Files.isDirectory(entry) ? Files.list(entry) : Stream.empty()) {
            List<Path> jars = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
            return Stream.concat(Stream.of(entry), jars.stream());
        } catch (IOException e) {
            return Stream.of(entry);
        }
    }

    private static boolean has(List<Path> path, String type) {
        List<URL> urls = new ArrayList<>();
        for (Path each : path) {
            try {
                urls.add(each.toUri().toURL());
            } catch (MalformedURLException e) {
                // Nothing is found there.
            }
        }
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), null)) {
            return loader.findResource(type.replace('.', '/') + ".class") != null;
        } catch (IOException e) {
            return false;
        }
    }
}
