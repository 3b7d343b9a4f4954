package org.panamaverbs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher builds, in a checkout of four small modules, with a script in place of Maven. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a bash script")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LauncherBuildTest {
    private static final String SOURCES = "provider/cli/src/launcher/java";

    private static final Pattern COMPILED = Pattern.compile("verbs:   (\\w+), \\d of \\d");
    private static final List<String> ALL = List.of("base", "cli", "extra", "middle");

    @TempDir
    private static Path compiled;

    private static URLClassLoader loader;

    @TempDir
    private Path directory;

    private Path home;
    private Path maven;
    private Path library;

    @BeforeAll
    static void compileAsTheBuildWould() throws IOException {
        List<String> command =
                new ArrayList<>(List.of("-Xlint:all", "-Werror", "--release", "22", "-d", compiled.toString()));
        try (Stream<Path> sources = Files.list(Checkout.ROOT.resolve(SOURCES))) {
            sources.map(Path::toString).forEach(command::add);
        }
        run("javac", command);
        loader = new URLClassLoader(new URL[] {compiled.toUri().toURL()});
    }

    @AfterAll
    static void close() throws IOException {
        loader.close();
    }

    @BeforeEach
    void makeCheckout() throws IOException {
        home = Files.createDirectory(directory.resolve("ein Verzeichnis, ü"));
        write("pom.xml", """
                <project>
                  <groupId>org.panamaverbs</groupId><artifactId>panama-verbs</artifactId><version>1.2</version>
                  <modules><module>base</module><module>provider</module></modules>
                  <properties><maven.compiler.release>22</maven.compiler.release><lib.version>7</lib.version></properties>
                  <dependencyManagement><dependencies>
                    <dependency><groupId>com.example</groupId><artifactId>lib</artifactId><version>${lib.version}</version></dependency>
                  </dependencies></dependencyManagement>
                  <build>
                    <resources>
                      <resource><directory>${project.basedir}/src/main/resources</directory></resource>
                      <resource>
                        <directory>${maven.multiModuleProjectDirectory}</directory><targetPath>META-INF</targetPath>
                        <includes><include>LICENSE</include></includes>
                      </resource>
                    </resources>
                    <pluginManagement><plugins>
                      <plugin><groupId>org.codehaus.mojo</groupId><artifactId>exec-maven-plugin</artifactId><version>3</version></plugin>
                    </plugins></pluginManagement>
                  </build>
                </project>
                """);
        write("LICENSE", "a licence");
        write("provider/pom.xml", """
                <project>
                  <groupId>org.panamaverbs</groupId><artifactId>provider</artifactId>
                  <modules><module>middle</module><module>extra</module><module>rules</module><module>cli</module></modules>
                </project>
                """);
        module("base", "base", "");
        module(
                "provider/middle",
                "middle",
                needs("org.panamaverbs", "panama-verbs-base", "") + needs("com.example", "lib", ""));
        module("provider/extra", "extra", needs("org.panamaverbs", "panama-verbs-base", ""));
        module("provider/rules", "rules", needs("org.junit", "of-an-imported-bom", ""));
        module(
                "provider/cli",
                "cli",
                needs("org.panamaverbs", "panama-verbs-middle", "")
                        + needs("org.panamaverbs", "panama-verbs-extra", "runtime")
                        + needs("org.panamaverbs", "panama-verbs-rules", "test"));
        write("base/src/main/java/module-info.java", "module test.base { exports base; }");
        write(
                "base/src/main/java/base/Base.java",
                "package base; public class Base { public static final int ONE = 1; }");
        write("base/src/main/java/base/Other.java", "package base; class Other {}");
        write(
                "provider/middle/src/main/java/module-info.java",
                "module test.middle { requires transitive test.base; exports middle; }");
        write(
                "provider/middle/src/main/java/middle/Middle.java",
                "package middle; public class Middle { public int two = base.Base.ONE + 1; }");
        write(
                "provider/extra/src/main/java/module-info.java",
                "module test.extra { requires test.base; provides Runnable with extra.Extra; }");
        write(
                "provider/extra/src/main/java/extra/Extra.java",
                "package extra; public class Extra implements Runnable { public void run() {} }");
        write("provider/extra/src/main/resources/META-INF/services/java.lang.Runnable", "extra.Extra");
        write("provider/rules/src/main/java/rules/Rules.java", "no Java: nobody compiles this");
        write("provider/cli/src/main/java/module-info.java", "module test.cli { requires test.middle; }");
        write("provider/cli/src/main/java/cli/Cli.java", "package cli; class Cli { int one = base.Base.ONE; }");
        library = directory.resolve("lib-7.jar");
        run(
                "jar",
                List.of(
                        "--create",
                        "--file",
                        library.toString(),
                        "-C",
                        home.resolve("base").toString(),
                        "pom.xml"));
        maven = directory.resolve("mvn");
        maven("for each; do case $each in -Dexec.outputFile=*) echo \"target/classes:" + library
                + "\" >\"${each#*=}\" ;; esac; done");
    }

    @Test
    void buildsWhatTheProductRunsWith() throws Exception {
        Built built = build();

        assertThat(built).isEqualTo(new Built(0, ALL, "verbs:   libraries, by Maven"));

        Path libs = home.resolve("provider/cli/target/libs");
        assertThat(names(libs))
                .containsExactly(
                        "lib-7.jar",
                        "panama-verbs-base-1.2.jar",
                        "panama-verbs-extra-1.2.jar",
                        "panama-verbs-middle-1.2.jar");
        assertThat(describe(home.resolve("provider/cli/target/panama-verbs-cli-1.2.jar")))
                .contains("test.cli@1.2", "requires test.middle");
        try (JarFile jar =
                new JarFile(libs.resolve("panama-verbs-extra-1.2.jar").toFile())) {
            assertThat(jar.getManifest().getMainAttributes().getValue("Implementation-Version"))
                    .isEqualTo("1.2");
            assertThat(jar.stream().map(Object::toString))
                    .contains("META-INF/LICENSE", "META-INF/services/java.lang.Runnable", "extra/Extra.class");
        }
        assertThat(Files.readAllLines(home.resolve("provider/cli/target/.verbs-built")))
                .contains("pom.xml", "provider/pom.xml", "LICENSE", "base/src/main", "provider/extra/pom.xml", SOURCES)
                .doesNotContain("provider/rules/pom.xml");
    }

    @Test
    void whatIsNewerAndNoOtherIsNotCompiled() throws Exception {
        build();
        Files.setLastModifiedTime(
                home.resolve("base/src/main/java/base/Base.java"),
                FileTime.from(Instant.now().plusSeconds(5)));

        assertThat(build()).isEqualTo(new Built(0, List.of(), ""));
        assertThat(build("--all")).isEqualTo(new Built(0, ALL, ""));
    }

    @Test
    void aChangeReachesAllThatNeedIt() throws Exception {
        build();
        write(
                "provider/extra/src/main/java/extra/Extra.java",
                "package extra; public class Extra implements Runnable { public void run() { run(); } }");
        assertThat(build()).isEqualTo(new Built(0, List.of("extra"), ""));

        write(
                "base/src/main/java/base/Base.java",
                "package base; public class Base { public static final byte ONE = 3; }");
        assertThat(build()).isEqualTo(new Built(0, ALL, ""));
        assertThat(home.resolve("provider/cli/target/libs/panama-verbs-middle-1.2.jar"))
                .hasSameBinaryContentAs(home.resolve("provider/cli/target/verbs/panama-verbs-middle-1.2.jar"));

        write("LICENSE", "another licence");
        assertThat(build()).isEqualTo(new Built(0, ALL, ""));
    }

    @Test
    void whatIsRemovedIsGone() throws Exception {
        build();
        Files.delete(home.resolve("base/src/main/java/base/Other.java"));
        Files.delete(home.resolve("provider/extra/src/main/resources/META-INF/services/java.lang.Runnable"));
        write("pom.xml", Files.readString(home.resolve("pom.xml")).replace("<version>1.2<", "<version>1.3<"));

        assertThat(build().status()).isZero();

        Path libs = home.resolve("provider/cli/target/libs");
        assertThat(names(libs))
                .containsExactly(
                        "lib-7.jar",
                        "panama-verbs-base-1.3.jar",
                        "panama-verbs-extra-1.3.jar",
                        "panama-verbs-middle-1.3.jar");
        assertThat(names(home.resolve("provider/cli/target")))
                .contains("panama-verbs-cli-1.3.jar")
                .doesNotContain("panama-verbs-cli-1.2.jar");
        for (String name : List.of("base", "extra")) {
            try (JarFile jar = new JarFile(
                    libs.resolve("panama-verbs-" + name + "-1.3.jar").toFile())) {
                assertThat(jar.stream().map(Object::toString))
                        .contains("META-INF/LICENSE")
                        .doesNotContain("base/Other.class", "META-INF/services/java.lang.Runnable");
            }
        }
    }

    @Test
    void aFailureSaysWhereAndLeavesWhatWasBuilt() throws Exception {
        build();
        Path jar = home.resolve("provider/cli/target/libs/panama-verbs-base-1.2.jar");
        byte[] before = Files.readAllBytes(jar);
        write(
                "base/src/main/java/base/Base.java",
                "package base;\npublic class Base { public static final int ONE = \"1\"; }");

        assertThat(build().said())
                .startsWith("verbs: base does not compile:\n")
                .contains("Base.java:2: error: incompatible types")
                .doesNotContain("middle");
        assertThat(jar).hasBinaryContent(before);

        write(
                "base/src/main/java/base/Base.java",
                "package base; public class Base { public static final int ONE = 1; }");
        assertThat(build().compiled())
                .as("what was under way is compiled again")
                .isEqualTo(ALL);
    }

    /** Maven packs the same files into the same place. */
    @Test
    void jarsOfOthersAreReplaced() throws Exception {
        build();
        Path jar = home.resolve("provider/cli/target/libs/panama-verbs-base-1.2.jar");
        Files.writeString(jar, "another's");

        assertThat(build()).isEqualTo(new Built(0, List.of(), ""));
        assertThat(describe(jar)).contains("test.base@1.2");
    }

    @Test
    void librariesOfTheCompilerAloneAreNotLaidOut() throws Exception {
        module(
                "provider/middle",
                "middle",
                needs("org.panamaverbs", "panama-verbs-base", "") + needs("com.example", "lib", "provided"));
        build();
        assertThat(names(home.resolve("provider/cli/target/libs"))).doesNotContain("lib-7.jar");

        module(
                "provider/extra",
                "extra",
                needs("org.panamaverbs", "panama-verbs-base", "") + needs("com.example", "lib", ""));
        build();
        assertThat(names(home.resolve("provider/cli/target/libs"))).contains("lib-7.jar");
    }

    @Test
    void mavenIsAskedOnceForEachListOfLibraries() throws Exception {
        build();
        write("provider/cli/src/main/java/cli/More.java", "package cli; class More {}");
        assertThat(build()).isEqualTo(new Built(0, List.of("cli"), ""));

        write("pom.xml", Files.readString(home.resolve("pom.xml")).replace("<lib.version>7<", "<lib.version>8<"));
        assertThat(build().said()).contains("libraries, by Maven");

        Files.delete(home.resolve("provider/cli/target/verbs/libraries/cli/lib-7.jar"));
        assertThat(build().said()).contains("libraries, by Maven");
    }

    @Test
    void saysWhatToDoWithoutMavenOrNetwork() throws Exception {
        Files.delete(maven);
        assertThat(build().said()).contains("mvn was not found", "; remedy: install Maven 3.8 or newer");

        maven("echo '[INFO] fine'; echo '[ERROR] no route to host'; exit 1");
        assertThat(build().said())
                .contains(
                        "[ERROR] no route to host",
                        "Maven cannot fetch the libraries",
                        "; remedy: connect to the network")
                .doesNotContain("fine");
        assertThat(home.resolve("provider/cli/target/verbs/libraries/cli/maven.log"))
                .content()
                .contains("fine");
    }

    @Test
    void waitsForAnotherBuild() throws Exception {
        build();
        Process other;
        try (FileChannel lock =
                FileChannel.open(home.resolve("provider/cli/target/verbs/lock"), StandardOpenOption.WRITE)) {
            FileLock held = lock.lock();
            other = process();
            try (BufferedReader messages = other.errorReader()) {
                assertThat(messages.readLine()).startsWith("verbs: waiting for the build of process ");
                held.release();
                assertThat(messages.readLine()).isNull();
            }
        }
        assertThat(other.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(other.exitValue()).isZero();
    }

    @Test
    void goesOnAfterOneThatWasKilled() throws Exception {
        String found = Files.readString(maven);
        maven("kill -9 $PPID");
        Process killed = process();
        assertThat(killed.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(killed.exitValue()).as("killed by SIGKILL").isEqualTo(128 + 9);

        Files.writeString(maven, found);
        assertThat(build().compiled()).isEqualTo(ALL);
    }

    @Test
    void saysThatTheCheckoutCannotBeWritten() throws Exception {
        Files.createDirectories(home.resolve("provider/cli/target"));
        Files.writeString(home.resolve("provider/cli/target/verbs"), "a file, since root may write to any directory");

        assertThat(build().said()).startsWith("verbs: cannot write to ").contains("; remedy: make it writable");
    }

    /** Its exit status, the modules that it compiled, by name, and what else it said. */
    private record Built(int status, List<String> compiled, String said) {}

    private Built build(String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(home.toString(), "provider/cli"));
        arguments.addAll(List.of(more));
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        Method run = loader.loadClass("Build").getMethod("run", String.class, PrintStream.class, String[].class);
        PrintStream out = new PrintStream(messages, true, StandardCharsets.UTF_8);
        Object status = run.invoke(null, maven.toString(), out, arguments.toArray(new String[0]));
        List<String> lines = messages.toString(StandardCharsets.UTF_8).lines().toList();
        List<String> modules =
                lines.stream().filter(line -> COMPILED.matcher(line).matches()).toList();
        return new Built(
                (int) status,
                modules.stream()
                        .map(line -> COMPILED.matcher(line).replaceFirst("$1"))
                        .sorted()
                        .toList(),
                lines.stream().filter(line -> !modules.contains(line)).collect(Collectors.joining("\n")));
    }

    /** Starts the same in a process of its own, which finds Maven on its path. */
    private Process process() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                compiled.toString(),
                "Build",
                home.toString(),
                "provider/cli");
        builder.environment().merge("PATH", directory + ":", (path, first) -> first + path);
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder.start();
    }

    private void module(String path, String name, String dependencies) throws IOException {
        write(
                path + "/pom.xml",
                "<project><artifactId>panama-verbs-" + name + "</artifactId><name>" + name + "</name><dependencies>"
                        + dependencies + "</dependencies></project>");
    }

    private static String needs(String group, String artifact, String scope) {
        return "<dependency><groupId>" + group + "</groupId><artifactId>" + artifact + "</artifactId><scope>" + scope
                + "</scope></dependency>";
    }

    private void write(String file, String content) throws IOException {
        Path path = home.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    private void maven(String body) throws IOException {
        Files.writeString(maven, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    private static String describe(Path jar) {
        return run("jar", List.of("--describe-module", "--file", jar.toString()));
    }

    private static String run(String tool, List<String> arguments) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        int status = ToolProvider.findFirst(tool).orElseThrow().run(out, out, arguments.toArray(new String[0]));
        String text = printed.toString(StandardCharsets.UTF_8);
        assertThat(status).as(text).isZero();
        return text;
    }
}
