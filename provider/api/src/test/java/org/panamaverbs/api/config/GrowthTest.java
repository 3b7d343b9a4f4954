package org.panamaverbs.api.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An API that has grown still links with callers that were compiled before: fields of configurations, values of enums
 * and capabilities are added to a copy of the sources.
 */
@Timeout(120)
class GrowthTest {
    private static final Path SOURCES = Path.of("src/main/java").toAbsolutePath();
    private static final String CALLER = """
            import org.panamaverbs.api.*;
            import org.panamaverbs.api.cm.ConnectionConfig;
            import org.panamaverbs.api.cm.outofband.OutOfBandConfig;
            import org.panamaverbs.api.device.Capabilities;
            public final class Caller implements java.util.function.Supplier<String> {
                @Override public String get() {
                    Capabilities can = Capabilities.builder().maxQp(3).build();
                    SharedReceiveQueueConfig shared = SharedReceiveQueueConfig.of(4).withSge(2);
                    QueuePairConfig pair = QueuePairConfig.of(null, null).withType(QueuePairType.UD).withDepth(5, 6);
                    ConnectionConfig connection = ConnectionConfig.defaults().withDepths(1, 2);
                    String opcode = switch (SendOpcode.valueOf("SEND")) {
                        case SEND -> "send";
                        case RDMA_WRITE -> "write";
                        default -> "other";
                    };
                    QueuePairConfig again = pair.withDepth(5, 6);
                    boolean same = pair.equals(again) && pair.hashCode() == again.hashCode();
                    return can.maxQp() + " " + shared.maxSge() + " " + pair.maxRecvWr()
                            + " " + connection.initiatorDepth()
                            + " " + OutOfBandConfig.defaults().withQkey(7).qkey() + " " + opcode + " " + same;
                }
            }
            """;

    @TempDir
    Path directory;

    @Test
    void callersOfBeforeLinkWithAnApiThatHasGrown() throws Exception {
        Path before = Files.createDirectory(directory.resolve("before"));
        Path caller = directory.resolve("Caller.java");
        Files.writeString(caller, CALLER);
        compile(ownPath(), before, List.of(caller));

        Path grown = copied();
        grow(
                grown,
                "SendOpcode.java",
                "public enum SendOpcode {",
                "public enum SendOpcode { ZEROTH(Form.LOCAL, WcOpcode.SEND),");
        grow(
                grown,
                "QueuePairType.java",
                "public enum QueuePairType {",
                "public enum QueuePairType { ZEROTH(EnumSet.noneOf(SendOpcode.class)),");
        grow(grown, "device/Capabilities.java", "public enum Feature {", "public enum Feature { ZEROTH,");
        String field = "private int more = 42; public int more() { return more; }";
        for (String path :
                List.of("device/Capabilities", "QueuePairConfig", "SharedReceiveQueueConfig", "cm/ConnectionConfig")) {
            String name = path.substring(path.indexOf('/') + 1);
            grow(grown, path + ".java", "    private " + name + "(", field + "\n    private " + name + "(");
            Path source = grown.resolve("org/panamaverbs/api/" + path + ".java");
            String text = Files.readString(source);
            int end = text.indexOf(".and(", text.indexOf("fields -> fields"));
            Files.writeString(source, text.substring(0, end) + ".and(\"more\", all -> all.more)" + text.substring(end));
        }
        Path after = Files.createDirectory(directory.resolve("after"));
        List<Path> verbs = new ArrayList<>();
        for (String name : List.of("", "cm", "device")) {
            try (var files = Files.list(grown.resolve("org/panamaverbs/api").resolve(name))) {
                verbs.addAll(
                        files.filter(file -> file.toString().endsWith(".java")).toList());
            }
        }
        compile(ownPath(), after, verbs);

        assertThat(run(after, before)).isEqualTo("3 2 6 2 7 send true");
    }

    /** Runs the caller with {@code api} before what this test itself has. */
    private static String run(Path api, Path caller) throws ReflectiveOperationException, IOException {
        List<URL> path = new ArrayList<>(List.of(url(api), url(caller)));
        for (String entry : ownPath().split(File.pathSeparator, -1)) {
            path.add(url(Path.of(entry)));
        }
        try (URLClassLoader loader = new URLClassLoader(path.toArray(URL[]::new), null)) {
            Object made = loader.loadClass("Caller").getConstructor().newInstance();
            assertThat(loader.loadClass("org.panamaverbs.api.QueuePairConfig").getMethod("more"))
                    .isNotNull();
            return String.valueOf(made.getClass().getMethod("get").invoke(made));
        }
    }

    /** The test's own path, part of which is the module path under Maven. */
    private static String ownPath() {
        return System.getProperty("jdk.module.path", "") + File.pathSeparator + System.getProperty("java.class.path");
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path copied() throws IOException {
        Path to = directory.resolve("grown");
        Files.walkFileTree(SOURCES, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path copy = to.resolve(SOURCES.relativize(file).toString());
                if (!copy.endsWith("module-info.java")) {
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return to;
    }

    private static void grow(Path sources, String file, String found, String replacement) throws IOException {
        Path path = sources.resolve("org/panamaverbs/api").resolve(file);
        String text = Files.readString(path);
        assertThat(text).as(file).contains(found);
        Files.writeString(path, text.replaceFirst(Pattern.quote(found), replacement));
    }

    private static void compile(String classPath, Path to, List<Path> files) throws IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        StringWriter found = new StringWriter();
        try (StandardJavaFileManager manager = javac.getStandardFileManager(null, Locale.ROOT, null)) {
            List<String> options = List.of("-proc:none", "-nowarn", "-d", to.toString(), "-cp", classPath);
            assertThat(javac.getTask(found, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                            .call())
                    .as("%s", found)
                    .isTrue();
        }
    }
}
