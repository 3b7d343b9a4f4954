package org.panamaverbs.iwarp;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.rules.ArchitectureRules;
import org.panamaverbs.rules.NativeImageMetadata;

/** GraalVM's native-image is told of every shape of a call into C, or that call fails in an image. */
class NativeImageMetadataTest {
    private static final JavaClasses CLASSES = ArchitectureRules.importer().importPackages("org.panamaverbs.iwarp");

    @TempDir
    private Path output;

    @Test
    void hasEachShapeThatIsLinked() throws IOException, InterruptedException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "what is linked elsewhere is less");
        NativeImageMetadata.requireComplete("panama-verbs-iwarp", IwarpProvider.class, CLASSES, output);
    }

    @Test
    void linksNothingLater() {
        NativeImageMetadata.linkedWhenMade(Set.of("org.panamaverbs.iwarp.net.LibcCalls"))
                .check(CLASSES);
    }
}
