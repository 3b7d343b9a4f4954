package org.panamaverbs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.cli.example.HelloVerbs;

class ReadmeTest {
    private static final Path EXAMPLE = Path.of("src/test/java/org/panamaverbs/cli/example/HelloVerbs.java");
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    /** A cell of the table of measurements. */
    private static final Pattern FIGURE = Pattern.compile("\\| [0-9.]+ (?:µs|M/s) (?=\\|)");

    private static String readme() throws IOException {
        return Files.readString(Checkout.ROOT.resolve("README.md"));
    }

    @Test
    void exampleIsTheTestedSource() throws IOException {
        Matcher block = JAVA_BLOCK.matcher(readme());
        assertThat(block.find()).as("README.md has a java block").isTrue();

        String source = Files.readString(Checkout.module().resolve(EXAMPLE));
        String withoutPackage = source.substring(source.indexOf("\n\n") + 2);

        assertThat(block.group(1)).isEqualTo(withoutPackage);
    }

    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void exampleDoesWhatItSays() {
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            HelloVerbs.main(new String[0]);
        } finally {
            System.setOut(out);
        }

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .startsWith("wr_id 2 RDMA_READ success")
                .contains("Hello over MPA rev 2");
    }

    @Test
    void isAPageThatIsReadInTwoMinutes() throws IOException {
        assertThat(readme().lines()).hasSizeLessThanOrEqualTo(120);
    }

    /** The table has nothing that was not measured: each figure is a median of one of the two pages. */
    @Test
    void figuresAreThoseOfTheResults() throws IOException {
        String results = Files.readString(Checkout.ROOT.resolve("docs/results/comparison.md"))
                + Files.readString(Checkout.ROOT.resolve("docs/results/one-host.md"));
        List<String> figures =
                FIGURE.matcher(readme()).results().map(MatchResult::group).toList();

        assertThat(figures).hasSizeGreaterThan(15);
        assertThat(figures)
                .as("README.md says what docs/results said before: copy the medians of the new measurement")
                .allSatisfy(figure -> assertThat(results).contains(figure));
    }
}
