package org.panamaverbs.examples.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tutorial's program is the one that is tested, and does what the tutorial says. */
@Timeout(120)
class TutorialTest {
    private static final Path SOURCE =
            Path.of("src", "test", "java", "org", "panamaverbs", "examples", "tutorial", "First.java");
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    /** An import of neither the JDK nor this project, with the second part of its name. */
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?(?!javax?\\.|org\\.panamaverbs\\.)\\w+\\.(\\w+)\\.");

    @Test
    void theProgramOfTheTutorialIsTheTestedSource() throws IOException {
        Matcher block = JAVA_BLOCK.matcher(Files.readString(Path.of("..", "guide", "tutorial.md")));
        assertThat(block.find()).as("the tutorial has a java block").isTrue();

        String source = Files.readString(SOURCE);
        assertThat(block.group(1)).isEqualTo(source.substring(source.indexOf("\n\n") + 2));
    }

    /** Step 10 runs them as source files, with the jars of step 5 and what it copies itself. */
    @Test
    void theSourcesOfTheExamplesImportNothingButWhatTheTutorialCopies() throws IOException {
        Set<String> foreign = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                IMPORT.matcher(Files.readString(file)).results().forEach(result -> foreign.add(result.group(1)));
            }
        }

        assertThat(foreign).containsExactly("jspecify");
        assertThat(Path.of("..", "guide", "tutorial.md")).content().contains("target/libs/jspecify-*.jar lib/");
    }

    @Test
    void theProgramDoesWhatTheTutorialSays() throws Exception {
        PrintStream out = System.out;
        try (PipedOutputStream written = new PipedOutputStream();
                Scanner lines = new Scanner(new PipedInputStream(written, 1 << 16), StandardCharsets.UTF_8)) {
            System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
            CompletableFuture<Void> server = CompletableFuture.runAsync(() -> First.main(new String[] {"server"}));
            String port = lines.nextLine().replace("port ", "");
            First.main(new String[] {"client", "localhost", port, "Words of a test"});
            server.get(60, TimeUnit.SECONDS);
            System.out.println("both ends are done");

            assertThat(lines.useDelimiter("both ends are done").next())
                    .contains("connected by MPA rev 2", "the mailbox says: Words of a test")
                    .containsPattern("an RDMA Read of 64 octets takes \\d+[.]\\d us");
        } finally {
            System.setOut(out);
        }
    }
}
