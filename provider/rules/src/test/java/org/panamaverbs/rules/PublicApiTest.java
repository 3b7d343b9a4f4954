package org.panamaverbs.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lists of what others use, on types of the JDK. */
class PublicApiTest {
    private static final Set<String> JAVA_IO = Set.of("java.io");
    private static final String READ =
            "java.io.StringReader#public int java.io.StringReader.read() throws java.io.IOException";

    private final ClassFileImporter importer = new ClassFileImporter();
    private final JavaClasses reader = importer.importClasses(StringReader.class);

    @TempDir
    private Path directory;

    @Test
    void listsPublicTypesWithWhatOthersUseOfThem() {
        assertThat(PublicApi.lines(reader, JAVA_IO))
                .contains(
                        "java.io.StringReader: public class java.io.StringReader of java.io.Reader",
                        "java.io.StringReader#public java.io.StringReader(java.lang.String)",
                        READ)
                .noneMatch(line -> line.contains("private "));
    }

    @Test
    void listsWhatComesFromAParentThatOthersDoNotSee() {
        assertThat(PublicApi.lines(importer.importClasses(StringBuilder.class), Set.of("java.lang")))
                .anyMatch(line -> line.startsWith("java.lang.StringBuilder#")
                        && line.endsWith(" java.lang.AbstractStringBuilder.setLength(int)"));
    }

    @Test
    void leavesOutOtherPackagesAndTypesThatOthersDoNotSee() {
        assertThat(PublicApi.lines(reader, Set.of("java.lang"))).isEmpty();
        assertThat(PublicApi.lines(importer.importClasses(PublicApiTest.class), Set.of("org.panamaverbs.rules")))
                .isEmpty();
    }

    @Test
    void whatIsNewPassesAndWhatIsGoneIsNamed() throws IOException {
        List<String> lines = new ArrayList<>(PublicApi.lines(reader, JAVA_IO));
        lines.remove(READ);
        Path older = Files.write(directory.resolve("older.txt"), lines);
        assertThatCode(() -> PublicApi.keeps(reader, JAVA_IO, older)).doesNotThrowAnyException();

        lines.add("java.io.StringReader#public int java.io.StringReader.peek()");
        Path other = Files.write(directory.resolve("other.txt"), lines);
        assertThatThrownBy(() -> PublicApi.keeps(reader, JAVA_IO, other))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("StringReader.peek()")
                .hasMessageContaining("provider/release/api --record");
        assertThatThrownBy(() -> PublicApi.keeps(reader, Set.of("java.oi"), older))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no public type in [java.oi]");
    }
}
