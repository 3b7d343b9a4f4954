package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.panamaverbs.iwarp.engine.device.IwarpOption;

/**
 * docs/guide/iwarp.md says what is so. With {@code -Dguide.update=true} the table of settings, which says what
 * {@link IwarpOption} says, is written anew.
 */
class GuideTest {
    private static final Path GUIDE = Path.of("..", "..", "docs", "guide", "iwarp.md");
    private static final String HEAD = "| name | default | values | what it does |";
    private static final Pattern PROOF = Pattern.compile("`(\\w+Test)#(\\w+)`");
    private static final List<String> PACKAGES = List.of(
            "org.panamaverbs.iwarp.engine.",
            "org.panamaverbs.iwarp.engine.cm.",
            "org.panamaverbs.iwarp.engine.device.",
            "org.panamaverbs.iwarp.core.");

    private static List<MatchResult> matches(Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(GUIDE)).results().toList();
    }

    private static List<String> settings() {
        List<String> rows = new ArrayList<>(List.of(HEAD, "|---|---|---|---|"));
        IwarpOption.all().forEach(each -> rows.add(each.row()));
        return rows;
    }

    @Test
    void itsSettingsAreTheProviders() throws Exception {
        List<String> lines = Files.readAllLines(GUIDE);
        int begin = lines.indexOf(HEAD);
        assertThat(begin).as("the line " + HEAD).isPositive();
        int end = begin;
        while (lines.get(end).startsWith("|")) {
            end++;
        }
        if (Boolean.getBoolean("guide.update")) {
            List<String> all = new ArrayList<>(lines.subList(0, begin));
            all.addAll(settings());
            all.addAll(lines.subList(end, lines.size()));
            Files.write(GUIDE, all);
            return;
        }
        assertThat(lines.subList(begin, end))
                .as("docs/guide/iwarp.md is stale: run provider/quick iwarp GuideTest -- -Dguide.update=true")
                .isEqualTo(settings());
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
