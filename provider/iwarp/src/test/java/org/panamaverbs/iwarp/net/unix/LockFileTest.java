package org.panamaverbs.iwarp.net.unix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks that tell, and whose directory may be believed. */
class LockFileTest extends UnixFixture {
    @TempDir
    private Path directory;

    @SuppressWarnings("try") // closes twice on purpose
    @Test
    void tellsWhichOctetsOthersHave() throws IOException {
        Path path = directory.resolve("listeners");
        assertThatThrownBy(() -> LockFile.open(path))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("open of " + path + ": ENOENT");
        try (LockFile one = LockFile.openOrCreate(path);
                LockFile two = LockFile.openOrCreate(path);
                LockFile asker = LockFile.open(path)) {
            assertThat(asker.isShared(7)).isFalse();
            one.share(7);
            two.share(7);
            two.share(Long.MAX_VALUE);
            assertThat(asker.isShared(7)).isTrue();
            assertThat(asker.isShared(6) || asker.isShared(8)).isFalse();
            assertThat(asker.isShared(Long.MAX_VALUE)).isTrue();
            assertThat(two.isShared(Long.MAX_VALUE)).as("its own").isFalse();
            one.close();
            one.close();
            assertThat(asker.isShared(7)).isTrue();
            two.release(7);
            two.release(7);
            assertThat(asker.isShared(7)).isFalse();
            assertThatThrownBy(() -> one.share(7)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> two.share(-1)).hasMessageContaining("EINVAL");
        }
        assertThat(Files.size(path)).isZero();
    }

    @Test
    void opensNoLink() throws IOException {
        Path target = Files.createFile(directory.resolve("target"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), target);

        assertThatThrownBy(() -> LockFile.openOrCreate(link)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> LockFile.open(link)).isInstanceOf(IOException.class);
    }

    /** Locks end with their process, however it ends. */
    @Test
    void endsWithItsProcess() throws Exception {
        Path path = directory.resolve("listeners");
        LockFile.openOrCreate(path).close();
        String hold = "open F, '<', $ARGV[0]; $| = 1; $_ = pack('s2x4q2ix4', 0, 0, 7, 1, 0);"
                + " fcntl(F, 37, $_) and print qq(held\\n); sleep 60";
        Process holder = holder(hold, path);
        try (LockFile asker = LockFile.open(path)) {
            assertThat(holder.inputReader().readLine()).isEqualTo("held");
            assertThat(asker.isShared(7)).isTrue();
            holder.destroyForcibly();
            assertThat(holder.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(asker.isShared(7)).isFalse();
        } finally {
            holder.destroyForcibly();
        }
    }

    private static Process holder(String program, Path path) {
        try {
            return new ProcessBuilder("/usr/bin/perl", "-e", program, path.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "no perl");
            throw new AssertionError(e);
        }
    }

    // ---- the directory --------------------------------------------------------------------------------------------

    private Path directory(String name, String mode) throws IOException {
        Path made = Files.createDirectory(directory.resolve(name));
        return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(mode));
    }

    @Test
    void believesADirectoryThatNobodyElseWrites() throws IOException {
        SharedDirectory.check(directory("own", "rwxr-xr-x"));
        SharedDirectory.check(Path.of("/"));
        SharedDirectory.check(Path.of("/tmp"));
    }

    @Test
    void doesNotBelieveADirectoryThatOthersWrite() throws IOException {
        Path group = directory("group", "rwxrwxr-x");
        Path all = directory("all", "rwxr-xrwx");

        assertThatThrownBy(() -> SharedDirectory.check(group)).hasMessageContaining("(mode 775); chmod +t " + group);
        assertThatThrownBy(() -> SharedDirectory.check(all)).hasMessageContaining("(mode 757)");
        Files.setAttribute(all, "unix:mode", 01777);
        SharedDirectory.check(all);
    }

    @Test
    void doesNotBelieveADirectoryOfAnother() throws IOException {
        assumeTrue(PeerUser.effectiveUser() == 0, "not root");
        Path other = directory("other", "rwxr-xr-x");
        Files.setAttribute(other, "unix:uid", 12_345);

        assertThatThrownBy(() -> SharedDirectory.check(other)).hasMessageContaining("belongs to user 12345");
    }

    @Test
    void needsADirectory() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> SharedDirectory.check(file)).hasMessageContaining("no directory");
        assertThatThrownBy(() -> SharedDirectory.check(directory.resolve("none")))
                .isInstanceOf(IOException.class);
    }
}
