package org.panamaverbs.iwarp.net.unix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A file that is mounted over another one, which only root can do; a test where that is not possible is skipped. */
public final class BindMount implements AutoCloseable {
    private final Path over;

    private BindMount(Path over) {
        this.over = over;
    }

    /** Mounts {@code what} over {@code name}, until this is closed. */
    public static BindMount of(Path what, Path name) throws IOException {
        assumeTrue(PeerUser.effectiveUser() == 0, "not root");
        assumeTrue(run("mount", "-n", "--bind", what.toString(), name.toString()) == 0, "nothing can be mounted here");
        return new BindMount(name);
    }

    private static int run(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return process.onExit().orTimeout(20, TimeUnit.SECONDS).join().exitValue();
    }

    @Override
    public void close() throws IOException {
        assertThat(run("umount", "-n", "-l", over.toString())).isZero();
    }
}
