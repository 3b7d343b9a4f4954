package org.panamaverbs.iwarp.net.unix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A directory by which processes of one host tell each other something and meet: whom it may belong to, and what is
 * there.
 */
class SharedDirectoryTest extends UnixFixture {
    private static final String NAME = "00112233445566778899aabbccddeeff";

    @TempDir
    private Path directory;

    private Path made(String name, String mode) throws IOException {
        Path made = Files.createDirectory(directory.resolve(name));
        return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(mode));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    // ---- who may have it ------------------------------------------------------------------------------------------

    @Test
    void believesADirectoryThatNobodyElseWrites() throws IOException {
        SharedDirectory.open(made("own", "rwxr-xr-x")).close();
        SharedDirectory.open(Path.of("/")).close();
        SharedDirectory.open(Path.of("/tmp")).close();
    }

    @Test
    void doesNotBelieveADirectoryThatOthersWrite() throws IOException {
        Path group = made("group", "rwxrwxr-x");
        Path all = made("all", "rwxr-xrwx");

        assertThatThrownBy(() -> SharedDirectory.open(group))
                .hasMessageContaining("(mode 775); remedy: run chmod +t " + group);
        assertThatThrownBy(() -> SharedDirectory.open(all)).hasMessageContaining("(mode 757)");
        Files.setAttribute(all, "unix:mode", 01777);
        SharedDirectory.open(all).close();
        Files.setAttribute(group, "unix:mode", 03770);
        SharedDirectory.open(group).close();
    }

    @Test
    void doesNotBelieveADirectoryOfAnother() throws IOException {
        assumeTrue(PeerUser.effectiveUser() == 0, "not root");
        Path other = made("other", "rwxr-xr-x");
        Files.setAttribute(other, "unix:uid", OtherUser.NUMBER);

        assertThatThrownBy(() -> SharedDirectory.open(other))
                .hasMessageContaining("belongs to user 12345; remedy: use a directory of this user (0), or of root");
    }

    @Test
    void saysWhatIsWrongWithAPath() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        Path none = directory.resolve("none");

        assertThatThrownBy(() -> SharedDirectory.open(file))
                .hasMessageContainingAll("open of " + file + ": ENOTDIR", "the path is not a directory");
        assertThatThrownBy(() -> SharedDirectory.open(file.resolve("in"))).hasMessageContaining("ENOTDIR");
        assertThatThrownBy(() -> SharedDirectory.open(none))
                .hasMessageContainingAll("open of " + none + ": ENOENT", "mount it into each container");
    }

    /** The way to a socket is short, however long the path is. */
    @Test
    void aPathMayBeLongerThanTheNameOfASocket() throws IOException {
        Path deep = Files.createDirectories(directory.resolve("x".repeat(200)).resolve("y".repeat(200)));
        try (SharedDirectory one = SharedDirectory.open(deep);
                SharedDirectory two = SharedDirectory.open(deep)) {
            UnixServer server = one.listen(NAME, 1, false);
            two.connect(NAME).close();
            server.close();
            one.remove(NAME);
        }
    }

    /** {@code /proc/self} has locks, and no sockets. */
    @Test
    void saysThatAFileSystemHasNoSockets() throws IOException {
        assumeTrue(PeerUser.effectiveUser() == 0, "not root: the directories of /sys are closed");
        try (SharedDirectory one = SharedDirectory.open(Path.of("/sys/fs"))) {
            assertThatThrownBy(() -> one.listen(NAME, 1, false))
                    .hasMessageContainingAll("bind of /sys/fs/shm-" + NAME, "use a local one, such as tmpfs");
        }
    }

    // ---- what is told ---------------------------------------------------------------------------------------------

    @SuppressWarnings("try") // closes twice on purpose
    @Test
    void tellsWhatOthersTell() throws IOException {
        try (SharedDirectory one = SharedDirectory.open(directory);
                SharedDirectory two = SharedDirectory.open(directory);
                SharedDirectory asker = SharedDirectory.open(directory)) {
            assertThat(asker.isTold("a")).isFalse();
            one.tell("a");
            two.tell("a");
            two.tell("b");
            assertThat(asker.isTold("a")).isTrue();
            assertThat(asker.isTold("b")).isTrue();
            assertThat(asker.isTold("c")).isFalse();
            assertThat(two.isTold("b")).as("what it tells itself").isFalse();
            one.close();
            one.close();
            assertThat(asker.isTold("a")).isTrue();
            two.close();
            assertThat(asker.isTold("a")).isFalse();
            assertThatThrownBy(() -> one.tell("a")).isInstanceOf(IOException.class);
        }
        assertThat(names()).isEmpty();
    }

    /** Other versions compute the same. */
    @Test
    void aTextStandsForOneOctet() {
        assertThat(SharedDirectory.octet("panama-verbs/1/4711/10.0.0.1")).isEqualTo(0x0c99_9a10_2c62_0891L);
    }

    /** What another process tells ends with it, however that ends; and nobody else can stop it from being told. */
    @Test
    void endsWithItsProcess() throws Exception {
        Perl.assumeItRuns();
        String hold = "open F, '<', $ARGV[0]; $| = 1; $_ = pack('s2x4q2ix4', 0, 0, $ARGV[1], 1, 0);"
                + " fcntl(F, 37, $_) and print qq(held\\n); $_ = pack('s2x4q2ix4', 1, 0, 0, 0, 0);"
                + " print fcntl(F, 37, $_) ? qq(its own\\n) : qq(no other\\n); sleep 60";
        Process holder = Perl.start(hold, directory.toString(), "" + SharedDirectory.octet("a"));
        try (SharedDirectory asker = SharedDirectory.open(directory)) {
            assertThat(holder.inputReader().readLine()).isEqualTo("held");
            assertThat(holder.inputReader().readLine()).isEqualTo("no other");
            assertThat(asker.isTold("a")).isTrue();
            asker.tell("a");
            holder.destroyForcibly();
            assertThat(holder.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(asker.isTold("a")).isFalse();
        } finally {
            holder.destroyForcibly();
        }
    }

    // ---- where they meet ------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theyMeetAtASocketThatIsRemoved(boolean anyUser) throws IOException {
        try (SharedDirectory one = SharedDirectory.open(directory);
                SharedDirectory two = SharedDirectory.open(directory)) {
            UnixServer server = one.listen(NAME, 1, anyUser);
            assertThat(names()).containsExactly("shm-" + NAME);
            assertThat(Files.getPosixFilePermissions(directory.resolve("shm-" + NAME)))
                    .isEqualTo(PosixFilePermissions.fromString(anyUser ? "rw-rw-rw-" : "rw-------"));
            UnixSocket client = two.connect(NAME);
            UnixSocket accepted = Objects.requireNonNull(server.accept());
            accepted.send(octets("hello"));
            assertThat(received(client)).isEqualTo("hello");
            assertThat(client.peerUser()).isEqualTo(accepted.peerUser());

            one.remove(NAME);
            one.remove(NAME);
            assertThat(names()).isEmpty();
            accepted.close();
            client.close();
            server.close();
        }
    }

    @Test
    void refusesNamesThatAreNone() throws IOException {
        try (SharedDirectory one = SharedDirectory.open(directory)) {
            for (String name : List.of("", "../x", NAME + "0", NAME.replace('0', 'A'))) {
                assertThatThrownBy(() -> one.listen(name, 1, false)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> one.connect(name)).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    /** Who has the name already is not replaced; what it is does not matter. */
    @Test
    void aNameThatIsTakenIsLeftAlone() throws IOException {
        Path taken = Files.writeString(directory.resolve("shm-" + NAME), "a file");
        try (SharedDirectory one = SharedDirectory.open(directory)) {
            assertThatThrownBy(() -> one.listen(NAME, 1, false)).hasMessageContaining("EADDRINUSE");
        }
        assertThat(taken).hasContent("a file");
    }

    /** To a service of this user's, by links of either kind: who follows them would be sent there. */
    @Test
    void connectsToNothingButWhatIsThere() throws IOException {
        Path service = Files.createDirectory(directory.resolve("elsewhere")).resolve("service");
        UnixServer listening = UnixServer.listen(UnixName.ofPath(service), 4);
        Path name = directory.resolve("shm-" + NAME);
        try (SharedDirectory one = SharedDirectory.open(directory)) {
            assertThatThrownBy(() -> one.connect(NAME)).hasMessageContaining("ENOENT");
            Files.createSymbolicLink(name, service);
            assertThatThrownBy(() -> one.connect(NAME)).hasMessageContaining("is not a socket");
            Files.delete(name);
            Files.createLink(name, service);
            assertThatThrownBy(() -> one.connect(NAME)).hasMessageContaining("has other names");
            Files.delete(name);
            Files.createFile(name);
            assertThatThrownBy(() -> one.connect(NAME)).hasMessageContaining("is not a socket");
            Files.delete(name);
            Files.createDirectory(name);
            assertThatThrownBy(() -> one.connect(NAME)).hasMessageContaining("is not a socket");
            assertThat(listening.accept()).isNull();
        } finally {
            listening.close();
        }
    }

    /** Nobody moves who has opened a directory to another by moving that. */
    @Test
    void whatHappensToThePathDoesNotMatter() throws IOException {
        Path path = made("path", "rwx------");
        try (SharedDirectory one = SharedDirectory.open(path);
                SharedDirectory two = SharedDirectory.open(path)) {
            Files.move(path, directory.resolve("moved"));
            Files.createDirectory(path);
            UnixServer server = one.listen(NAME, 1, false);
            two.connect(NAME).close();
            server.close();
            one.remove(NAME);
        }
    }

    @Test
    void aDirectoryThatWasRemovedHasNoSockets() throws IOException {
        Path path = made("path", "rwx------");
        try (SharedDirectory one = SharedDirectory.open(path)) {
            UnixServer server = one.listen(NAME, 1, false);
            Files.delete(path.resolve("shm-" + NAME));
            Files.delete(path);
            assertThatThrownBy(() -> one.listen(NAME.replace('0', '1'), 1, false))
                    .hasMessageContainingAll("ENOENT", "does not exist");
            assertThatThrownBy(() -> one.connect(NAME)).hasMessageContaining("ENOENT");
            one.remove(NAME);
            server.close();
        }
    }

    // ---- leftovers ------------------------------------------------------------------------------------------------

    @Test
    void removesWhatKilledProcessesHaveLeftAndNothingElse() throws IOException {
        try (SharedDirectory living = SharedDirectory.open(directory);
                SharedDirectory next = SharedDirectory.open(directory)) {
            UnixServer server = living.listen(NAME, 1, false);
            String killed = leftover('a');
            leftover('b');
            Files.createFile(directory.resolve(file('c')));
            UnixServer.listen(UnixName.ofPath(directory.resolve("service")), 1).close();
            Files.createSymbolicLink(directory.resolve(file('d')), directory.resolve("service"));

            assertThat(next.removeLeftovers()).isEqualTo(2);
            assertThat(names()).contains("shm-" + NAME, file('c'), file('d'), "service");
            assertThat(names()).doesNotContain(killed, file('b'));
            assertThat(next.removeLeftovers()).isZero();
            server.close();
            living.remove(NAME);
        }
    }

    /** Another kernel that has the file system does not show its locks: so nothing is touched that may be in use. */
    @Test
    void leavesWhatIsNotOld() throws IOException {
        Path young = directory.resolve(leftover('a'));
        Files.setLastModifiedTime(young, FileTime.from(Instant.now().minus(Duration.ofMinutes(50))));
        try (SharedDirectory next = SharedDirectory.open(directory)) {
            assertThat(next.removeLeftovers()).isZero();
        }
        assertThat(names()).containsExactly(file('a'));
    }

    /** What a stranger has mounted over a file of his is not asked what it is: here it looks like a leftover. */
    @SuppressWarnings("try") // the mount is there, and nothing is done with it
    @Test
    void leavesWhatIsMounted() throws IOException {
        Path old = made("elsewhere", "rwx------").resolve("old");
        UnixServer.listen(UnixName.ofPath(old), 1).close();
        Files.setLastModifiedTime(old, FileTime.fromMillis(0));
        Path name = Files.createFile(directory.resolve(file('a')));
        try (BindMount mount = BindMount.of(old, name);
                SharedDirectory next = SharedDirectory.open(directory)) {
            assertThat(next.removeLeftovers()).isZero();
            assertThatThrownBy(() -> next.connect("a".repeat(32))).hasMessageContaining("is a mount");
        }
        assertThat(name).isRegularFile();
    }

    @Test
    void leavesWhatIsAnothers() throws IOException {
        assumeTrue(PeerUser.effectiveUser() == 0, "not root");
        Files.setAttribute(directory.resolve(leftover('a')), "unix:uid", OtherUser.NUMBER);
        try (SharedDirectory next = SharedDirectory.open(directory)) {
            assertThat(next.removeLeftovers()).isZero();
        }
        assertThat(names()).containsExactly(file('a'));
    }

    /** Of thousands of files that strangers put there the looking is bounded. */
    @Test
    void manyFilesOfStrangersHoldNobodyUp() throws IOException {
        for (int i = 0; i < 5000; i++) {
            Files.createFile(directory.resolve("stranger" + i));
        }
        leftover('a');
        try (SharedDirectory next = SharedDirectory.open(directory)) {
            assertThat(next.removeLeftovers()).isBetween(0, 1);
            UnixServer server = next.listen(NAME, 1, false);
            next.remove(NAME);
            server.close();
        }
        assertThat(directory.resolve("shm-" + NAME)).doesNotExist();
    }

    private static String file(char digit) {
        return "shm-" + String.valueOf(digit).repeat(32);
    }

    /** Makes what is left of a process that was killed; returns its name. */
    private String leftover(char digit) throws IOException {
        Path file = directory.resolve(file(digit));
        UnixServer.listen(UnixName.ofPath(file), 1).close();
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofMinutes(61))));
        return file(digit);
    }
}
