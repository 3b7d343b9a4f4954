package org.panamaverbs.bench.page;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The colours of the page, light and dark: WCAG 2.2 asks for 4.5 : 1 between text and background, and 3 : 1 for bars
 * and lines.
 */
class PageColoursTest {
    private static final List<String> TEXTS = List.of("--text", "--quiet", "--link", "--warning");

    private static List<Map<String, String>> schemes() throws IOException {
        return PageColours.schemes();
    }

    private static double contrast(Map<String, String> scheme, String one, String other) {
        return PageColours.contrast(requireNonNull(scheme.get(one)), requireNonNull(scheme.get(other)));
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void textCanBeRead(Map<String, String> scheme) {
        for (String background : List.of("--page", "--panel")) {
            assertThat(TEXTS)
                    .allSatisfy(text -> assertThat(contrast(scheme, text, background))
                            .as("%s on %s", text, background)
                            .isGreaterThanOrEqualTo(4.5));
        }
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void barsAndLinesCanBeSeen(Map<String, String> scheme) {
        assertThat(PageColours.contestants(scheme))
                .hasSizeGreaterThan(6)
                .allSatisfy((name, colour) ->
                        assertThat(contrast(scheme, name, "--page")).as(name).isGreaterThanOrEqualTo(3));
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void contestantsCanBeToldApart(Map<String, String> scheme) {
        List<String> colours = List.copyOf(PageColours.contestants(scheme).values());
        for (int i = 0; i < colours.size(); i++) {
            for (int j = 0; j < i; j++) {
                assertThat(PageColours.distance(colours.get(i), colours.get(j)))
                        .as("%s and %s", colours.get(i), colours.get(j))
                        .isGreaterThan(20);
            }
        }
    }
}
