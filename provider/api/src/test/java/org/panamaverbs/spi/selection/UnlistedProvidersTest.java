package org.panamaverbs.spi.selection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said where a jar has a provider's classes and not the line that names it. */
class UnlistedProvidersTest {
    @TempDir
    private Path directory;

    @Test
    void classWithoutItsEntryIsNamedWithTheRemedy() throws IOException {
        try (var loader = jarWith("org/panamaverbs/iwarp/IwarpProvider.class")) {
            assertThat(UnlistedProviders.explained("none", "add one", loader, Set.of("ibverbs")))
                    .contains("org.panamaverbs.iwarp.IwarpProvider", "ServicesResourceTransformer", "mergeServiceFiles")
                    .contains("META-INF/services/org.panamaverbs.spi.VerbsProvider")
                    .doesNotContain("Ibverbs", "add one")
                    .containsOnlyOnce("; remedy: ");
        }
    }

    @Test
    void providersThatWereFoundOrAreNotThereAreLeftOut() throws IOException {
        try (var loader = jarWith("org/panamaverbs/iwarp/IwarpProvider.class")) {
            assertThat(UnlistedProviders.explained("none", "add one", loader, Set.of("iwarp")))
                    .isEqualTo("none; remedy: add one");
        }
        try (var loader = jarWith("org/example/Other.class")) {
            assertThat(UnlistedProviders.explained("none", "", loader, Set.of()))
                    .isEqualTo("none");
        }
    }

    private URLClassLoader jarWith(String entry) throws IOException {
        Path jar = Files.createTempDirectory(directory, "jar");
        Path file = jar.resolve(entry);
        Files.createDirectories(file.getParent());
        Files.createFile(file);
        return new URLClassLoader(new URL[] {jar.toUri().toURL()}, null);
    }
}
