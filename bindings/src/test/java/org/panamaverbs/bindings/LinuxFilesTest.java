package org.panamaverbs.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.bindings.GeneratedFacts.Fact;

/** Each number of {@link LinuxFiles} against the C compiler and the headers of this machine. */
class LinuxFilesTest {
    private static final Map<String, String> EXPRESSIONS = Map.ofEntries(
            Map.entry("FLOCK_BYTES", "sizeof(struct flock)"),
            Map.entry("FLOCK_TYPE", "offsetof(struct flock, l_type)"),
            Map.entry("FLOCK_WHENCE", "offsetof(struct flock, l_whence)"),
            Map.entry("FLOCK_START", "offsetof(struct flock, l_start)"),
            Map.entry("FLOCK_LENGTH", "offsetof(struct flock, l_len)"),
            Map.entry("STATFS_BYTES", "sizeof(struct statfs)"),
            Map.entry("STATFS_TYPE", "offsetof(struct statfs, f_type)"),
            Map.entry("UCRED_BYTES", "sizeof(struct ucred)"),
            Map.entry("UCRED_PID", "offsetof(struct ucred, pid)"),
            Map.entry("UCRED_UID", "offsetof(struct ucred, uid)"));

    @Test
    void agreesWithTheCCompiler(@TempDir Path directory) throws Exception {
        Path header = Files.writeString(directory.resolve("files.h"), """
                #define _GNU_SOURCE
                #include <fcntl.h>
                #include <unistd.h>
                #include <linux/magic.h>
                #include <sys/mman.h>
                #include <sys/socket.h>
                #include <sys/vfs.h>
                #ifndef MFD_NOEXEC_SEAL
                #define MFD_NOEXEC_SEAL 8
                #endif
                """);
        var compiler = new CCompiler(directory);
        Optional<String> obstacle =
                NativePlatform.mismatch(System.getProperty("os.name"), System.getProperty("os.arch"));
        if (obstacle.isEmpty()) {
            obstacle = compiler.obstacle(header);
        }
        obstacle.ifPresent(reason -> System.out.println("skipped: numbers of files are not compared: " + reason));
        assumeTrue(obstacle.isEmpty(), "numbers of files are not compared");
        List<Fact> facts = new ArrayList<>();
        for (Field field : LinuxFiles.class.getFields()) {
            String expression = EXPRESSIONS.getOrDefault(field.getName(), field.getName());
            facts.add(new Fact(expression, field.getLong(null), false));
        }

        List<Long> actual = compiler.evaluate(header, facts);

        assertThat(actual).isEqualTo(facts.stream().map(Fact::value).toList()).hasSizeGreaterThan(20);
    }
}
