package org.panamaverbs.examples.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Scanner;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tutorial's programs are those that are tested, and do what the tutorial says. */
@Timeout(120)
class TutorialTest {
    private static final Path SOURCES = Path.of("src", "test", "java", "org", "panamaverbs", "examples", "tutorial");
    private static final Path GUIDE = Path.of("..", "guide");
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    /** An import of neither the JDK nor this project, with the second part of its name. */
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?(?!javax?\\.|org\\.panamaverbs\\.)\\w+\\.(\\w+)\\.");

    @Test
    void theProgramsOfTheTutorialAreTheTestedSources() throws IOException {
        List<String> blocks = JAVA_BLOCK
                .matcher(Files.readString(GUIDE.resolve("tutorial.md")))
                .results()
                .map(block -> block.group(1))
                .toList();

        assertThat(blocks).containsExactly(source("First"), source("Publish"));
    }

    private static String source(String name) throws IOException {
        String source = Files.readString(SOURCES.resolve(name + ".java"));
        return source.substring(source.indexOf("\n\n") + 2);
    }

    /** They run as source files, with the jars of the tutorial and what the page copies itself. */
    @Test
    void theSourcesOfTheExamplesImportNothingButWhatThePageCopies() throws IOException {
        Set<String> foreign = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                IMPORT.matcher(Files.readString(file)).results().forEach(result -> foreign.add(result.group(1)));
            }
        }

        assertThat(foreign).containsExactly("jspecify");
        assertThat(GUIDE.resolve("examples").resolve("README.md"))
                .content()
                .contains("target/libs/jspecify-*.jar lib/");
    }

    @Test
    void theFirstProgramDoesWhatTheTutorialSays() throws Exception {
        String printed = bothEnds(
                () -> First.main(new String[] {"server"}),
                port -> First.main(new String[] {"client", "localhost", port, "Words of a test"}));

        assertThat(printed)
                .contains("connected by MPA rev 2", "the mailbox says: Words of a test")
                .containsPattern("an RDMA Read of 64 bytes takes \\d+[.]\\d us");
    }

    /** More messages than the window, so that it lives on the credits that the subscriber grants. */
    @Test
    void thePublisherKeepsToItsCredits() throws Exception {
        String printed = bothEnds(
                () -> Publish.main(new String[] {"subscriber"}),
                port -> Publish.main(new String[] {"publisher", "localhost", port, "5000"}));

        assertThat(printed).contains("took 5000 messages");
    }

    /** Returns what both ends print; the server prints its port first. */
    private static String bothEnds(Runnable server, Consumer<String> client) throws Exception {
        PrintStream out = System.out;
        try (PipedOutputStream written = new PipedOutputStream();
                Scanner lines = new Scanner(new PipedInputStream(written, 1 << 16), StandardCharsets.UTF_8)) {
            System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
            CompletableFuture<Void> served = CompletableFuture.runAsync(server);
            client.accept(lines.nextLine().replace("port ", ""));
            served.get(60, TimeUnit.SECONDS);
            System.out.println("both ends are done");
            return lines.useDelimiter("both ends are done").next();
        } finally {
            System.setOut(out);
        }
    }
}
