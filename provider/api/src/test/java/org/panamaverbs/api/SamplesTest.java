package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiles the samples in the Javadoc of api and memory, all in one call of javac. A sample is a {@code pre} element
 * with a {@code code} or {@code snippet} tag; a figure is a {@code pre} element without one. A sample is a list of
 * statements or a static method. The names it does not declare are those of {@link #GIVEN}.
 */
class SamplesTest {
    private static final List<Path> SOURCES = List.of(Path.of("src/main/java"), Path.of("../../memory/src/main/java"));
    private static final Pattern BEGIN = Pattern.compile("(?:<pre>\\{@code|\\{@snippet *:)\n");
    private static final Pattern MARGIN = Pattern.compile("(?m)^ *\\* ?");

    private static final String IMPORTS = "import static java.util.concurrent.TimeUnit.*;"
            + " import static org.panamaverbs.api.SendFlag.*; import static org.panamaverbs.memory.Access.*;"
            + " import java.net.*; import java.time.Duration; import java.util.List; import org.panamaverbs.api.*;"
            + " import org.panamaverbs.api.cm.*; import org.panamaverbs.api.cm.outofband.*;"
            + " import org.panamaverbs.api.device.*; import org.panamaverbs.api.ext.*;"
            + " import org.panamaverbs.api.util.*; import org.panamaverbs.memory.*;";

    private static final String GIVEN = """
            abstract class Given {
                InetSocketAddress address, otherAddress;
                Deadline deadline;
                Verbs verbs, other;
                RegisteredBuffer buffer;
                RemoteBuffer remote;
                CompletionQueue queue;
                CompletionChannel channel;
                WorkCompletions completions;
                WorkCompletion completion;
                QueuePairConfig config, otherConfig;
                QueuePair queuePair;
                Batch batch;
                ReceiveList list;
                OutstandingSends ledger;
                Listener listener;
                Socket socket;
                long length;

                abstract void poll(CompletionQueue queue);
                abstract void take(WorkCompletion completion);

                record Peer(Connection connection, Resources resources) {}
            }
            """;

    @TempDir
    private Path directory;

    @Test
    void compile() throws IOException {
        List<JavaFileObject> samples = new ArrayList<>();
        for (Path each : SOURCES) {
            samples.addAll(samplesIn(each));
        }

        assertThat(samples).extracting(JavaFileObject::getName).contains("Verbs.java", "Resources.java");
        assertThat(errors(samples)).isEmpty();
    }

    @Test
    void aSampleThatDoesNotCompileIsNamed() throws IOException {
        Files.writeString(directory.resolve("Page.java"), """
                /**
                 * <pre>{@code
                 * PostStatus.check(batch.submit());
                 * batch.submitted();
                 * }</pre>
                 *
                 * {@snippet :
                 * poll(nothing);
                 * }
                 */
                """);

        assertThat(errors(samplesIn(directory)))
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("Page.java:4: cannot find symbol"),
                        second -> assertThat(second).startsWith("Page.java:8: cannot find symbol"));
    }

    private static List<JavaFileObject> samplesIn(Path pages) throws IOException {
        List<JavaFileObject> samples = new ArrayList<>();
        try (Stream<Path> files = Files.walk(pages)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                    .sorted()
                    .toList()) {
                String page = Files.readString(file);
                Matcher begin = BEGIN.matcher(page);
                while (begin.find()) {
                    long line = 1 + page.substring(0, begin.end()).lines().count();
                    String text = page.substring(begin.end(), end(page, begin.end()));
                    samples.add(new Sample(file, line, MARGIN.matcher(text).replaceAll("")));
                }
            }
        }
        return samples;
    }

    /** Returns the index of the brace that closes the tag, as Javadoc finds it: braces within are balanced. */
    private static int end(String page, int begin) {
        int open = 1;
        for (int i = begin; ; i++) {
            char next = page.charAt(i);
            open += next == '{' ? 1 : next == '}' ? -1 : 0;
            if (open == 0) {
                return i;
            }
        }
    }

    private List<String> errors(List<JavaFileObject> samples) {
        List<JavaFileObject> units = new ArrayList<>(samples);
        units.add(new Unit("Given", IMPORTS + GIVEN));
        List<String> options = List.of("-proc:none", "-d", directory.toString(), "-cp", ownPath());
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        javac.getTask(null, null, found, options, null, units).call();

        return found.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .map(each -> place(each) + ": " + each.getMessage(Locale.ROOT))
                .toList();
    }

    private static String place(Diagnostic<? extends JavaFileObject> error) {
        return error.getSource() instanceof Sample sample
                ? sample.getName() + ":" + (sample.line + error.getLineNumber() - 2)
                : String.valueOf(error.getSource());
    }

    /** The test's own path, part of which is the module path under Maven. */
    private static String ownPath() {
        return System.getProperty("jdk.module.path", "") + File.pathSeparator + System.getProperty("java.class.path");
    }

    private static class Unit extends SimpleJavaFileObject {
        private final String text;

        Unit(String type, String text) {
            super(URI.create("sample:///" + type + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** The sample is what begins in the second line. */
    private static final class Sample extends Unit {
        private final Path page;
        private final long line;

        Sample(Path page, long line, String text) {
            super(
                    type(page, line),
                    IMPORTS + " abstract class " + type(page, line) + " extends Given {" + body(text) + "}");
            this.page = page;
            this.line = line;
        }

        private static String type(Path page, long line) {
            Path name = page.subpath(page.getNameCount() - 2, page.getNameCount());
            return name.toString().replace(".java", "_").replaceAll("[^A-Za-z0-9_]", "_") + line;
        }

        private static String body(String text) {
            return text.startsWith("static ")
                    ? "\n" + text + "\n"
                    : " void sample() throws Exception {\n" + text + "\n}";
        }

        @Override
        public String getName() {
            return page.getFileName().toString();
        }
    }
}
