package org.panamaverbs.cli.perf.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilerThreadsTest {
    @TempDir
    private Path tasks;

    private void task(String id, String name, String schedstat) throws IOException {
        Path directory = Files.createDirectories(tasks.resolve(id));
        Files.writeString(directory.resolve("comm"), name + "\n");
        Files.writeString(directory.resolve("schedstat"), schedstat + "\n");
    }

    private void end(String id) throws IOException {
        Files.delete(tasks.resolve(id).resolve("comm"));
        Files.delete(tasks.resolve(id).resolve("schedstat"));
        Files.delete(tasks.resolve(id));
    }

    private CompilerThreads threads() {
        return CompilerThreads.below(tasks).orElseThrow();
    }

    @Test
    void addsUpWhatEachCompilerHasUsed() throws IOException {
        task("1", "java", "7000 1 1");
        task("2", "C1 CompilerThre", "300 50 4");
        task("3", "C2 CompilerThre", "20 60 5");
        task("4", "JVMCI CompilerT", "1 70 6");
        task("5", "GC Thread#0", "9000 1 1");

        assertThat(threads().busyNanos()).isEqualTo(321);
    }

    @Test
    void neverFallsWhenThreadsComeAndGo() throws IOException {
        task("2", "C1 CompilerThre", "300 0 0");
        task("3", "C2 CompilerThre", "2000 0 0");
        CompilerThreads threads = threads();

        end("3");
        assertThat(threads.busyNanos()).isEqualTo(2300);
        task("4", "C2 CompilerThre", "50 0 0");
        assertThat(threads.busyNanos()).isEqualTo(2350);
        task("2", "C1 CompilerThre", "310 0 0");
        assertThat(threads.busyNanos()).isEqualTo(2360);
    }

    @Test
    void takesALaterThreadOfTheSameNumberForAnother() throws IOException {
        task("2", "C2 CompilerThre", "300 0 0");
        CompilerThreads threads = threads();

        task("2", "C2 CompilerThre", "40 0 0");
        assertThat(threads.busyNanos()).isEqualTo(340);
    }

    @Test
    void passesOverThreadsThatEndMeanwhile() throws IOException {
        task("2", "C2 CompilerThre", "300 0 0");
        Files.createDirectory(tasks.resolve("3"));
        task("4", "C1 CompilerThre", "");

        assertThat(threads().busyNanos()).isEqualTo(300);
    }

    @Test
    void areNotThereWhereTheKernelDoesNotCount() throws IOException {
        task("2", "C2 CompilerThre", "0 0 0");

        assertThat(CompilerThreads.below(tasks)).isEmpty();
        assertThat(CompilerThreads.below(tasks.resolve("nothing"))).isEmpty();
    }
}
