package org.panamaverbs.micrometer;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.panamaverbs.rules.ArchitectureRules;
import org.panamaverbs.rules.PublicApi;

/** What others use stands as it was recorded with the last release. */
class PublicApiTest {
    private static final String PACKAGE = "org.panamaverbs.micrometer";

    @Test
    void keepsThePublicApi() {
        PublicApi.keeps(
                ArchitectureRules.importer().importPackages(PACKAGE),
                Set.of(PACKAGE),
                Path.of("src/test/public-api.txt"));
    }
}
