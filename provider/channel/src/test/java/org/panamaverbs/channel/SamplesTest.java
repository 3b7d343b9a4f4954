package org.panamaverbs.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
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
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the samples in the Javadoc of the module and on its page of the guide. */
class SamplesTest {
    private static final Path JAVADOC = Path.of("src/main/java/org/panamaverbs/channel");
    private static final Path PAGE = Path.of("../../docs/guide/channels.md");
    private static final Pattern IN_JAVADOC = Pattern.compile("(?s)<pre>\\{@code\n(.*?)\n *\\* }</pre>");
    private static final Pattern ON_PAGE = Pattern.compile("(?s)```java\n(.*?)```");
    private static final Pattern MARGIN = Pattern.compile("(?m)^ *\\* ?");

    private static final String IMPORTS = """
            import static java.util.concurrent.TimeUnit.SECONDS;
            import java.lang.foreign.*;
            import java.net.InetSocketAddress;
            import org.panamaverbs.api.*;
            import org.panamaverbs.channel.*;

            """;

    private static final String GIVEN = """
             {
                Verbs verbs;
                InetSocketAddress server, address;
                Deadline deadline;
                MessageHandler handler;
                ChannelGroup group;
                Channel channel;
                ResponseHandler responses;
                FanOut fanOut;
                Publisher publisher;
                MemorySegment message;
                int length;

                void sample() {
            """;

    @TempDir
    private Path directory;

    @Test
    void compile() throws IOException {
        List<String> samples = new ArrayList<>();
        try (Stream<Path> files = Files.list(JAVADOC)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                Matcher found = IN_JAVADOC.matcher(Files.readString(file));
                while (found.find()) {
                    samples.add(MARGIN.matcher(found.group(1)).replaceAll(""));
                }
            }
        }
        ON_PAGE.matcher(Files.readString(PAGE)).results().forEach(found -> samples.add(found.group(1)));
        assertThat(samples).hasSize(8);

        List<Path> sources = new ArrayList<>();
        for (String sample : samples) {
            String name = "Sample" + sources.size();
            String source = IMPORTS + "class " + name + GIVEN + sample + "}}";
            sources.add(Files.writeString(directory.resolve(name + ".java"), source));
        }
        assertThat(errors(sources)).isEmpty();
    }

    private List<String> errors(List<Path> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var diagnostics = new DiagnosticCollector<JavaFileObject>();
        String path = String.join(
                File.pathSeparator,
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path"),
                Path.of("target", "classes").toString());
        try (var files = compiler.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
            boolean compiled = compiler.getTask(
                            null,
                            files,
                            diagnostics,
                            List.of("-proc:none", "-d", directory.toString(), "-cp", path),
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
            List<String> errors = diagnostics.getDiagnostics().stream()
                    .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                    .map(each -> each.getSource().getName() + ":" + each.getLineNumber() + " "
                            + each.getMessage(Locale.ROOT))
                    .toList();
            return compiled ? List.of() : errors;
        }
    }
}
