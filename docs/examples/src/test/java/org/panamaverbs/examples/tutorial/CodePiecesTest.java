package org.panamaverbs.examples.tutorial;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.ext.FlowCounters;
import org.panamaverbs.api.ext.FlowRule;
import org.panamaverbs.api.ext.RateLimit;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** The Java of the pages for newcomers, in columns of tables and in blocks, is that of the API. */
class CodePiecesTest {
    private static final Path PAGES = Path.of("..", "guide", "learn");

    /** What the pages call a thing, and its type. */
    private static final Map<String, Class<?>> VARIABLES = Map.ofEntries(
            entry("verbs", Verbs.class),
            entry("domain", ProtectionDomain.class),
            entry("queue", CompletionQueue.class),
            entry("queuePair", QueuePair.class),
            entry("config", QueuePairConfig.class),
            entry("buffer", RegisteredBuffer.class),
            entry("segment", MemorySegment.class),
            entry("channel", CompletionChannel.class),
            entry("completions", WorkCompletions.class),
            entry("receives", SharedReceiveQueue.class),
            entry("listener", Listener.class),
            entry("request", ConnectionRequest.class),
            entry("address", InetSocketAddress.class),
            entry("deadline", Deadline.class),
            entry("connection", Connection.class),
            entry("eventQueue", EventQueue.class),
            entry("socket", Socket.class),
            entry("sslContext", SSLContext.class),
            entry("rule", FlowRule.class),
            entry("limit", RateLimit.class),
            entry("kinds", FlowCounters.Kind[].class),
            entry("n", int.class),
            entry("solicitedOnly", boolean.class));

    /** Whose methods a page may name alone. */
    private static final List<Class<?>> NAMED_ALONE = List.of(
            Verbs.class,
            ProtectionDomain.class,
            CompletionQueue.class,
            QueuePair.class,
            QueuePairConfig.class,
            Batch.class,
            RemoteBuffer.class,
            Connection.class);

    private static final Pattern PIECE = Pattern.compile("`([^`]+)`");
    private static final Pattern CALL = Pattern.compile("(\\w+)\\.(\\w+)(\\(.*\\))?");
    private static final Pattern METHOD = Pattern.compile("([a-z]\\w+)(\\(.*\\))?");
    /** A type of C, a constant, a message's word: not what this test is about. */
    private static final Pattern OTHER =
            Pattern.compile("(ibv|rdma)_\\w+|[A-Z][A-Z_]+|wrId|iwarp|api\\.cm\\.outofband");

    /** Returns the pieces of code in the last column of each row of the tables of {@code page}. */
    private static List<List<String>> rows(String page) throws IOException {
        return Files.readString(PAGES.resolve(page))
                .lines()
                .filter(line -> line.startsWith("|"))
                .map(line -> line.split("\\|", -1))
                .map(cells -> cells[cells.length - 2])
                .map(cell -> PIECE.matcher(cell)
                        .results()
                        .map(result -> result.group(1))
                        .toList())
                .toList();
    }

    /** Returns the names and calls in the last columns of the tables of {@code page}. */
    private static List<String> pieces(String page) throws IOException {
        return rows(page).stream()
                .flatMap(List::stream)
                .filter(piece -> !piece.endsWith(";") && !OTHER.matcher(piece).matches())
                .toList();
    }

    /** Returns the statements in the last column of each row that has some. */
    private static List<String> statements(String page) throws IOException {
        return rows(page).stream()
                .map(row -> row.stream()
                        .filter(piece -> piece.endsWith(";"))
                        .map(piece -> piece + "\n")
                        .collect(Collectors.joining()))
                .filter(body -> !body.isEmpty())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"from-libibverbs.md", "from-others.md"})
    void everyNameIsOneOfTheApi(String page) throws IOException {
        Set<String> unknown = new TreeSet<>();
        for (String piece : pieces(page)) {
            if (!isKnown(piece)) {
                unknown.add(piece);
            }
        }

        assertThat(statements(page)).hasSizeGreaterThan(10);
        assertThat(unknown).isEmpty();
    }

    private static boolean isKnown(String piece) {
        var call = CALL.matcher(piece);
        if (call.matches()) {
            String name = call.group(1);
            Optional<Class<?>> owner = VARIABLES.containsKey(name) ? Optional.of(VARIABLES.get(name)) : type(name);
            return owner.filter(type -> hasMethod(type, call.group(2))).isPresent();
        }
        var method = METHOD.matcher(piece);
        if (method.matches()) {
            return NAMED_ALONE.stream().anyMatch(owner -> hasMethod(owner, method.group(1)));
        }
        // A call with a call in it is compiled below.
        return piece.contains("(") || type(piece).isPresent();
    }

    private static boolean hasMethod(Class<?> owner, String name) {
        return Arrays.stream(owner.getMethods())
                .anyMatch(method -> method.getName().equals(name));
    }

    private static Optional<Class<?>> type(String name) {
        for (String where : List.of(
                "org.panamaverbs.api.",
                "org.panamaverbs.api.cm.",
                "org.panamaverbs.api.device.",
                "org.panamaverbs.api.ext.",
                "org.panamaverbs.api.util.",
                "org.panamaverbs.memory.",
                "java.lang.foreign.",
                "java.lang.")) {
            try {
                return Optional.of(Class.forName(where + name));
            } catch (ClassNotFoundException e) {
                // perhaps in the next
            }
        }
        return Optional.empty();
    }

    /** A block that is ours; one of another library is marked {@code java before}. */
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");

    private static final String IMPORTS = """
            import java.lang.foreign.*;
            import java.time.Duration;
            import org.panamaverbs.api.*;
            import org.panamaverbs.api.cm.*;
            import org.panamaverbs.api.cm.outofband.*;
            import org.panamaverbs.api.device.*;
            import org.panamaverbs.api.ext.*;
            import org.panamaverbs.api.util.*;
            import org.panamaverbs.memory.*;
            import static org.panamaverbs.api.SendFlag.*;
            import static org.panamaverbs.memory.Access.*;
            """;

    /** What a block takes as given: its own variables, and what an application would do. */
    private static final String GIVEN = """
            static final int WINDOW = 64;
            static final long BYTES = 64;
            int credits, free;
            boolean running;
            long taken, number, at, length;
            byte[] message;
            RemoteBuffer remote;
            RegisteredBuffer grants;
            WorkCompletion completion;
            void use(Object... all) {}
            void handle(Object... all) {}
            void done(long wrId) {}
            """;

    @ParameterizedTest
    @ValueSource(strings = {"from-libibverbs.md", "from-others.md"})
    void everyBlockCompiles(String page, @TempDir Path directory) throws IOException {
        List<String> blocks = Stream.concat(
                        BLOCK.matcher(Files.readString(PAGES.resolve(page)))
                                .results()
                                .map(block -> block.group(1)),
                        statements(page).stream())
                .toList();
        StringBuilder methods = new StringBuilder();
        for (int i = 0; i < blocks.size(); i++) {
            String block = blocks.get(i);
            String parameters = VARIABLES.entrySet().stream()
                    .filter(variable -> !block.matches("(?s).*\\b\\w+ " + variable.getKey() + " = .*"))
                    .map(variable -> variable.getValue().getCanonicalName() + " " + variable.getKey())
                    .collect(Collectors.joining(", "));
            methods.append("void block%d(%s) throws Exception {%n%s}%n".formatted(i, parameters, block));
        }
        String source = IMPORTS + "class Pieces {\n" + GIVEN + methods + "}\n";

        assertThat(blocks).hasSizeGreaterThan(1);
        assertThat(errors(source, directory)).as(source).isEmpty();
    }

    @Test
    void everyWholeCallCompiles(@TempDir Path directory) throws IOException {
        String calls = Stream.of(pieces("from-libibverbs.md"), pieces("from-others.md"))
                .flatMap(List::stream)
                .distinct()
                .filter(piece -> piece.matches("\\w+\\.\\w+\\(.*\\)") && !piece.contains("..."))
                .map(piece -> piece + ";\n")
                .collect(Collectors.joining());
        String parameters = VARIABLES.entrySet().stream()
                .map(variable -> variable.getValue().getCanonicalName() + " " + variable.getKey())
                .collect(Collectors.joining(", "));
        String source = IMPORTS + "class Pieces {\nvoid all(" + parameters + ") throws Exception {\n" + calls + "}}\n";

        assertThat(calls.lines()).hasSizeGreaterThan(3);
        assertThat(errors(source, directory)).as(source).isEmpty();
    }

    /** Returns what the compiler says of {@code source}. */
    private static String errors(String source, Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("Pieces.java"), source);
        String path = Stream.of("java.class.path", "jdk.module.path")
                .map(System::getProperty)
                .filter(Objects::nonNull)
                .collect(Collectors.joining(File.pathSeparator));
        var said = new StringWriter();
        var writer = new PrintWriter(said);
        ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(writer, writer, "-proc:none", "-cp", path, "-d", directory.toString(), file.toString());
        return said.toString();
    }
}
