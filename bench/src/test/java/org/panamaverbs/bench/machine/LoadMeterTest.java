package org.panamaverbs.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose the processors were. */
class LoadMeterTest {
    private static final long OWN = 100;

    @TempDir
    Path proc;

    @Test
    void countsOthersButNotOurChildren() throws IOException {
        processor(1000, 0);
        process(OWN, 1, "java", 10, 0);
        process(50, 1, "javac (x)", 500, 0);
        LoadMeter meter = new LoadMeter(proc, OWN);
        processor(1200, 50);
        process(OWN, 1, "java", 20, 0);
        process(101, OWN, "tcp", 190, 0);
        process(102, 101, "tcp", 190, 0);
        process(50, 1, "javac (x)", 530, 0);
        Load load = meter.finish(2);
        assertThat(load.others()).isCloseTo(15, within(0.01));
        assertThat(load.busiest()).isEqualTo("javac (x)");
        assertThat(load.steal()).isCloseTo(20, within(0.01));
        assertThat(load.average()).isEqualTo(1.5);
    }

    @Test
    void countsWhatEndedWithItsParent() throws IOException {
        processor(1000, 0);
        process(OWN, 1, "java", 10, 0);
        process(60, 1, "make", 5, 0);
        process(61, 60, "cc1", 40, 0);
        LoadMeter meter = new LoadMeter(proc, OWN);
        Files.delete(proc.resolve("61/stat"));
        process(60, 1, "make", 5, 90);
        assertThat(meter.finish(1).others()).isCloseTo(50, within(0.01));
    }

    @Test
    void namesNobodyWhenNothingElseRuns() throws IOException {
        processor(1000, 0);
        process(OWN, 1, "java", 10, 0);
        process(50, 1, "init", 500, 0);
        Load load = new LoadMeter(proc, OWN).finish(2);
        assertThat(load.others()).isZero();
        assertThat(load.busiest()).isEmpty();
    }

    private void processor(long user, long steal) throws IOException {
        Files.writeString(proc.resolve("stat"), "cpu  " + user + " 0 0 0 0 0 0 " + steal + " 0 0\ncpu0 1 2 3\n");
        Files.writeString(proc.resolve("loadavg"), "1.50 1.00 0.50 2/80 999\n");
    }

    private void process(long pid, long parent, String name, long user, long childrensUser) throws IOException {
        Path directory = Files.createDirectories(proc.resolve("" + pid));
        Files.writeString(
                directory.resolve("stat"),
                pid + " (" + name + ") R " + parent + " 1 1 0 -1 0 0 0 0 0 " + user + " 0 " + childrensUser
                        + " 0 20 0 1");
    }
}
