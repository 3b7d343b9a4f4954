package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.panamaverbs.iwarp.engine.context.IwarpOptions;

/** docs/guide/iwarp.md says what is so. */
class GuideTest {
    private static final Path GUIDE = Path.of("..", "..", "docs", "guide", "iwarp.md");
    private static final Pattern SETTING = Pattern.compile("(?m)^\\| `([a-z.]+)` \\| `([^`]+)` \\|");
    private static final Pattern PROOF = Pattern.compile("`(\\w+Test)#(\\w+)`");
    private static final List<String> PACKAGES =
            List.of("org.panamaverbs.iwarp.engine.", "org.panamaverbs.iwarp.core.");

    private static List<MatchResult> matches(Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(GUIDE)).results().toList();
    }

    @Test
    void itsSettingsAreTheProvidersWithTheirDefaults() throws Exception {
        Map<String, String> settings = new TreeMap<>();
        matches(SETTING).forEach(row -> settings.put(row.group(1), row.group(2)));

        assertThat(settings).containsExactlyInAnyOrderEntriesOf(IwarpOptions.DEFAULTS);
    }

    @Test
    void theTestsThatItNamesExist() throws Exception {
        List<MatchResult> proofs = matches(PROOF);
        assertThat(proofs).isNotEmpty();
        for (MatchResult proof : proofs) {
            assertThat(methods(proof.group(1))).as(proof.group(1)).contains(proof.group(2));
        }
    }

    private static List<String> methods(String test) {
        for (String candidate : PACKAGES) {
            try {
                Method[] methods = Class.forName(candidate + test).getDeclaredMethods();
                return Arrays.stream(methods).map(Method::getName).toList();
            } catch (ClassNotFoundException e) {
                assertThat(e).hasMessageContaining(test);
            }
        }
        return List.of();
    }
}
