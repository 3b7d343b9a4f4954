package org.panamaverbs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A module that requires one of ours compiles with what Maven hands on, and nothing else. */
class ModulePathConsumerTest {
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
    private static final int LIMIT_SECONDS = 120;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @Tag("proof")
    @CsvSource({
        "memory, org.panamaverbs.memory.Access.values();, 'bindings,memory'",
        "api, 'org.panamaverbs.api.QueuePairConfig.of(null, null).toString();', 'bindings,memory,provider/api'",
        "iwarp, org.panamaverbs.spi.VerbsProvider it = new org.panamaverbs.iwarp.IwarpProvider();, "
                + "'bindings,memory,provider/api,provider/iwarp'",
        "ibverbs, org.panamaverbs.spi.VerbsProvider it = new org.panamaverbs.ibverbs.IbverbsProvider();, "
                + "'bindings,memory,provider/api,provider/ibverbs'"
    })
    void compilesWithTheDependenciesThatMavenHandsOn(String module, String code, String needed) throws Exception {
        write("module-info.java", "module app { requires org.panamaverbs." + module + "; }");
        write("app/Main.java", "package app; class Main { static void main() { " + code + " } }");

        List<String> javac = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "javac").toString()));
        javac.addAll(List.of("-J-XX:TieredStopAtLevel=1", "--release", "22", "-proc:none", "-implicit:none"));
        javac.addAll(List.of("-d", directory.resolve("out").toString(), "-m", "app"));
        javac.addAll(List.of("--module-source-path", "app=" + directory));
        for (String each : needed.split(",", -1)) {
            String name = each.substring(each.lastIndexOf('/') + 1);
            Path sources = Checkout.ROOT.resolve(each).resolve("src/main/java");
            javac.addAll(List.of("--module-source-path", "org.panamaverbs." + name + "=" + sources));
        }
        javac.addAll(List.of("--module-path", handedOn(needed.split(",", -1))));

        assertThat(run(javac)).isEmpty();
    }

    @Test
    void librariesHandOnWhatTheirDescriptorsRequireTransitively() throws Exception {
        for (String module : List.of("memory", "bindings", "provider/api", "provider/iwarp", "provider/ibverbs")) {
            String descriptor =
                    Files.readString(Checkout.ROOT.resolve(module).resolve("src/main/java/module-info.java"));
            if (descriptor.contains("transitive org.jspecify")) {
                assertThat(scopes(module)).as(module).containsEntry("jspecify", "compile");
            }
        }
    }

    /** Returns the jars of others that Maven hands to who depends on these modules. */
    private static String handedOn(String... modules) throws Exception {
        boolean annotations = false;
        for (String module : modules) {
            annotations |= "compile".equals(scopes(module).get("jspecify"));
        }
        return annotations
                ? Path.of(NullMarked.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString()
                : "";
    }

    private static Map<String, String> scopes(String module) throws Exception {
        Map<String, String> scopes = new TreeMap<>();
        Matcher dependencies = DEPENDENCY.matcher(
                Files.readString(Checkout.ROOT.resolve(module).resolve("pom.xml")));
        while (dependencies.find()) {
            String text = dependencies.group(1);
            scopes.put(element(text, "artifactId", ""), element(text, "scope", "compile"));
        }
        return scopes;
    }

    private static String element(String text, String name, String otherwise) {
        Matcher element = Pattern.compile("<" + name + ">(.*?)</" + name + ">").matcher(text);
        return element.find() ? element.group(1) : otherwise;
    }

    private void write(String name, String text) throws Exception {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static String run(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .start();
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            return printed.lines().filter(line -> !line.startsWith("Note: ")).collect(Collectors.joining("\n"));
        } finally {
            process.destroyForcibly();
        }
    }
}
