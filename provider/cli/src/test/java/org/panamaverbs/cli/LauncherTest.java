package org.panamaverbs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher script, in a checkout and with JDKs that are made up of small scripts: such a java builds, or prints its
 * arguments.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a bash script")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LauncherTest {
    /** What the script may find on the PATH beside what a test puts there. */
    private static final List<String> TOOLS =
            List.of("bash", "env", "cat", "dirname", "find", "head", "readlink", "sed");

    private static final String PRINT_ARGUMENTS = "printf '%s\\n' \"jdk=$0\" \"$@\"";

    /** Does as the build does, whose arguments are the checkout and the product. */
    private static final String BUILD = """
            case $* in *Build.java*)
                while [ "${1##*/}" != Build.java ]; do shift; done
                printf '%s\\n' "${*:3}" >>"$2/builds"
                PATH=$BUILD_PATH
                mkdir -p "$2/$3/target/libs"
                touch "$2/$3/target/libs/panama-verbs-iwarp-1.0.jar" "$2/$3/target/panama-verbs-${3##*/}-1.0.jar"
                printf '%s\\n' pom.xml memory/src/main "$3/src/main" >"$2/$3/target/.verbs-built"
                exit "${BUILD_STATUS:-0}" ;;
            esac
            """;

    @TempDir
    private Path directory;

    private Path home;
    private Path tools;
    private Path roots;
    private final Map<String, String> environment = new TreeMap<>();

    @BeforeEach
    void makeCheckout() throws IOException {
        home = directory.resolve("a check out");
        for (String module : List.of("memory", "provider/cli", "docs/examples")) {
            Files.createDirectories(home.resolve(module).resolve("src/main"));
        }
        Files.createFile(home.resolve("pom.xml"));
        Files.copy(Checkout.ROOT.resolve("verbs"), home.resolve("verbs"));
        permitExecution(home.resolve("verbs"));

        tools = Files.createDirectory(directory.resolve("bin"));
        for (String tool : TOOLS) {
            script(tools.resolve(tool), "exec " + find(tool) + " \"$@\"");
        }
        roots = Files.createDirectory(directory.resolve("jvm"));
        environment.put("PATH", tools.toString());
        environment.put("BUILD_PATH", System.getenv("PATH"));
        environment.put("VERBS_JDK_ROOTS", roots.toString());
    }

    @Test
    void saysWhatToDoWithoutJdk() throws Exception {
        Result result = launch("demo");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .contains("no JDK 22 or newer was found", "JAVA_HOME is not set", "Install one")
                .doesNotContain("command not found");
    }

    @Test
    void passesOverJdksThatAreTooOld() throws Exception {
        Path old = jdk(roots, "jdk-17", "17.0.15");
        jdk(roots, "jdk-21", "21.0.1");
        environment.put("JAVA_HOME", old.toString());

        Result result = launch("demo");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("no JDK 22 or newer was found", "JAVA_HOME is " + old);
    }

    @Test
    void prefersJavaHome() throws Exception {
        Path wanted = jdk(directory, "mine", "22");
        jdk(roots, "jdk-25", "25.0.3");
        environment.put("JAVA_HOME", wanted.toString());

        assertThat(launch("demo").out()).startsWith("jdk=" + wanted);
    }

    @Test
    void pathsThatAreNotAsciiAreOpenedInTheLocaleC() throws Exception {
        Path jdk = jdk(roots, "jdk", "25");
        script(jdk.resolve("bin/java"), BUILD + "echo LC_ALL=$LC_ALL LANG=$LANG");

        assertThat(launch("demo").out()).isEqualTo("LC_ALL=C.UTF-8 LANG=\n");
        environment.put("LC_ALL", "C");
        environment.put("LANG", "de_DE.UTF-8");
        assertThat(launch("demo").out()).isEqualTo("LC_ALL=C.UTF-8 LANG=de_DE.UTF-8\n");
        environment.remove("LC_ALL");
        assertThat(launch("demo").out()).isEqualTo("LC_ALL= LANG=de_DE.UTF-8\n");
    }

    @Test
    void takesJavaOfThePathThroughLinks() throws Exception {
        Path wanted = jdk(directory, "elsewhere", "24.0.1");
        Files.createSymbolicLink(tools.resolve("java"), wanted.resolve("bin/java"));

        assertThat(launch("demo").out()).startsWith("jdk=" + wanted);
    }

    @Test
    void takesTheNewestOfTheInstalled() throws Exception {
        jdk(roots, "a", "22.0.2");
        Path wanted = jdk(roots, "b", "25.0.3");
        jdk(roots, "c", "24");

        assertThat(launch("demo").out()).startsWith("jdk=" + wanted);
    }

    @Test
    void startsNothingWhereTheBuildFails() throws Exception {
        jdk(roots, "jdk", "25");
        environment.put("BUILD_STATUS", "1");

        Result result = launch("demo");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void buildsOnceUntilASourceIsNewerOrGone() throws Exception {
        Path jdk = jdk(roots, "jdk", "25");
        Path source = Files.createFile(home.resolve("memory/src/main/New.java"));
        assertThat(launch("demo").err()).isEqualTo("verbs: building with " + jdk + "\n");

        assertThat(launch("demo").err()).isEmpty();
        Files.delete(home.resolve("pom.xml"));
        assertThat(launch("demo").err()).contains("building");
        Files.setLastModifiedTime(Files.createFile(home.resolve("pom.xml")), FileTime.from(Instant.EPOCH));
        assertThat(launch("demo").err()).isEmpty();

        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
        assertThat(launch("demo").err()).contains("building");
        Files.delete(source);
        Files.setLastModifiedTime(
                source.getParent(), FileTime.from(Instant.now().plusSeconds(10)));
        assertThat(launch("demo").err()).contains("building");
    }

    @Test
    void buildsOrNotAsTold() throws Exception {
        jdk(roots, "jdk", "25");
        environment.put("VERBS_REBUILD", "0");
        assertThat(launch("demo").err()).as("nothing is built yet").contains("building");

        Path source = Files.createFile(home.resolve("memory/src/main/New.java"));
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
        assertThat(launch("demo").err()).isEmpty();

        environment.put("VERBS_REBUILD", "1");
        assertThat(launch("demo").err()).contains("building");
        assertThat(home.resolve("builds")).hasContent("provider/cli\nprovider/cli --all");
    }

    @Test
    void namesItsOwnCommandsInTheHelp() throws Exception {
        jdk(roots, "jdk", "25");

        for (String help : List.of("--help", "-h", "help")) {
            assertThat(launch(help).out())
                    .contains("VerbsCommand\n" + help + "\n", "Commands of a checkout:\n  example ", "\n  jdk ");
        }
        assertThat(launch("demo", "--help").out()).doesNotContain("Commands of a checkout");
    }

    @Test
    void handsArgumentsOnAsTheyAreFromAnywhereThroughALink() throws Exception {
        jdk(roots, "jdk", "25");
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("a check out/verbs"));

        Result result = launch(link, "rping", "-a", "two words", "", "*", "$HOME");

        assertThat(result.status()).isZero();
        List<String> arguments = result.out().lines().toList();
        assertThat(arguments)
                .endsWith(
                        "org.panamaverbs.cli/org.panamaverbs.cli.VerbsCommand",
                        "rping",
                        "-a",
                        "two words",
                        "",
                        "*",
                        "$HOME");
        assertThat(arguments).contains("--enable-native-access=org.panamaverbs.iwarp");
    }

    /** Examples are a module of their own, which the command does without. */
    @Test
    void startsExamplesFromTheirOwnModule() throws Exception {
        jdk(roots, "jdk", "25");
        launch("demo");

        Result ring = launch("example", "ring", "--slots", "8");

        assertThat(ring.err()).contains("building");
        assertThat(ring.out())
                .contains("org.panamaverbs.examples/org.panamaverbs.examples.Examples\nring\n--slots\n8")
                .contains("docs/examples/target/libs:")
                .contains("docs/examples/target/panama-verbs-examples-1.0.jar");
        assertThat(home.resolve("builds")).hasContent("provider/cli\ndocs/examples");

        Path source = Files.createFile(home.resolve("docs/examples/src/main/New.java"));
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
        assertThat(launch("demo").err()).isEmpty();
        assertThat(launch("example", "--list").err()).contains("building");
    }

    @Test
    void saysWhichJdkItTakesAndBuildsNothing() throws Exception {
        jdk(roots, "old", "17.0.15");
        Path wanted = jdk(roots, "jdk", "25");

        Result result = launch("jdk");

        assertThat(result.out()).isEqualTo(wanted + "\n");
        assertThat(result.err()).isEmpty();
    }

    @Test
    void handsTheExitStatusOn() throws Exception {
        Path jdk = jdk(roots, "jdk", "25");
        script(jdk.resolve("bin/java"), BUILD + "exit 7");

        assertThat(launch("demo").status()).isEqualTo(7);
    }

    private record Result(int status, String out, String err) {}

    private Result launch(String... arguments) throws IOException, InterruptedException {
        return launch(home.resolve("verbs"), arguments);
    }

    private Result launch(Path script, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(Arrays.asList(arguments));
        Path out = directory.resolve("stdout");
        Path err = directory.resolve("stderr");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private static Path jdk(Path parent, String name, String version) throws IOException {
        Path jdk = Files.createDirectories(parent.resolve(name));
        Files.createDirectory(jdk.resolve("bin"));
        Files.writeString(jdk.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        script(jdk.resolve("bin/java"), BUILD + PRINT_ARGUMENTS);
        script(jdk.resolve("bin/javac"), "exit 0");
        return jdk.toRealPath();
    }

    private static void script(Path path, String body) throws IOException {
        Files.writeString(path, "#!" + find("bash") + "\n" + body + "\n", StandardCharsets.UTF_8);
        permitExecution(path);
    }

    private static void permitExecution(Path path) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path find(String tool) {
        for (String entry : System.getenv("PATH").split(":", -1)) {
            Path candidate = Path.of(entry, tool);
            if (Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        throw new AssertionError(tool + " is not on the PATH");
    }
}
