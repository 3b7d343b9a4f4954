package org.panamaverbs.iwarp.net.unix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.iwarp.net.SocketCalls;

/** Files in memory between two sides, and what is no such file. */
class SealedFileTest extends UnixFixture {
    private static final long BYTES = 4096 + 16 * 1024;

    /** Sends a descriptor through a socket. */
    private static ReceivedFile received(int descriptor) throws IOException {
        try (UnixPair pair = UnixPair.open()) {
            ByteBuffer octet = ByteBuffer.allocate(1);
            FileMessage.send(pair.left().descriptorOrNone(), UnixPair.name(), octet, descriptor);
            return Objects.requireNonNull(
                    pair.right().receiveWithFile(octet.clear()).file());
        }
    }

    /** Sends a descriptor through a socket and has it judged. */
    private static SealedFile received(int descriptor, long bytes) throws IOException {
        return received(descriptor).map(bytes);
    }

    @SuppressWarnings("try") // closes twice on purpose
    @Test
    void isSeenByWhoHasReceivedIt() throws IOException {
        try (SealedFile mine = SealedFile.create("panama-verbs test", BYTES);
                SealedFile theirs = received(mine.descriptor(), BYTES)) {
            mine.closeDescriptor();
            mine.closeDescriptor();
            assertThat(mine.memory().byteSize()).isEqualTo(BYTES);
            assertThat(theirs.memory().byteSize()).isEqualTo(BYTES);
            assertThat(theirs.memory().mismatch(mine.memory())).isEqualTo(-1);

            mine.memory().set(ValueLayout.JAVA_LONG, BYTES - 8, 4711);

            assertThat(theirs.memory().get(ValueLayout.JAVA_LONG, BYTES - 8)).isEqualTo(4711);
            assertThat(theirs.memory().isReadOnly()).isTrue();
            assertThatThrownBy(mine::descriptor).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(theirs::descriptor).isInstanceOf(IllegalStateException.class);
            theirs.close();
            theirs.close();
            assertThat(mine.memory().get(ValueLayout.JAVA_LONG, BYTES - 8)).isEqualTo(4711);
        }
    }

    @Test
    void hasPagesAsTheyAreAccessed() throws IOException {
        try (SealedFile mine = SealedFile.createSparse("panama-verbs test", BYTES);
                SealedFile theirs = received(mine.descriptor()).mapSparse(BYTES)) {
            assertThat(MemoryCalls.firstHole(mine.descriptor(), "a test")).isZero();
            mine.memory().set(ValueLayout.JAVA_BYTE, 1, (byte) 7);
            assertThat(theirs.memory().get(ValueLayout.JAVA_BYTE, 1)).isEqualTo((byte) 7);
            assertThat(theirs.memory().get(ValueLayout.JAVA_BYTE, BYTES - 1)).isZero();
            assertThat(theirs.memory().isReadOnly()).isTrue();
        }
    }

    @Test
    void takesHundreds() throws IOException {
        for (int i = 0; i < 300; i++) {
            SealedFile mine = SealedFile.create("panama-verbs test", BYTES);
            received(mine.descriptor(), BYTES).close();
            mine.close();
        }
    }

    /** What the peer can do with a descriptor of the file. */
    @Test
    void canBeWrittenCutOrHoledByNobodyElse() throws IOException {
        try (SealedFile mine = SealedFile.create("panama-verbs test", BYTES)) {
            int descriptor = mine.descriptor();
            Path path = Path.of("/proc/self/fd/" + descriptor);
            try (FileChannel peer = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                assertThatThrownBy(() -> peer.write(ByteBuffer.wrap(new byte[] {1}), 0))
                        .isInstanceOf(IOException.class);
                assertThatThrownBy(() -> peer.map(FileChannel.MapMode.READ_WRITE, 0, 4096))
                        .isInstanceOf(IOException.class);
                assertThatThrownBy(() -> peer.truncate(4096)).isInstanceOf(IOException.class);
                assertThatThrownBy(() -> peer.write(ByteBuffer.wrap(new byte[] {1}), BYTES))
                        .isInstanceOf(IOException.class);
            }
            int punchHole = 0x3; // linux/falloc.h: FALLOC_FL_PUNCH_HOLE with FALLOC_FL_KEEP_SIZE
            assertThat(MemoryFiles.fallocate(descriptor, punchHole, 4096)).isNegative();
            assertThat(MemoryCalls.control(descriptor, Libc.F_ADD_SEALS(), Libc.F_SEAL_WRITE()))
                    .isNegative();
            assertThat(mine.memory().get(ValueLayout.JAVA_LONG, 0)).isZero();
        }
    }

    @Test
    void hasNoFileThatCannotBeMade() {
        // Not too much: that would be taken from all others until there is no more.
        assertThatThrownBy(() -> SealedFile.create("panama-verbs test", 0))
                .isInstanceOf(IOException.class)
                .hasMessage("fallocate of 0 bytes of panama-verbs test: EINVAL (22): invalid argument");
        assertThatThrownBy(() -> SealedFile.create("panama-verbs test", -1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> SealedFile.create("n".repeat(300), 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("memfd_create");
    }

    /** Makes a file of a hostile peer: allocated, and touched if {@code touched}; with {@code seals}. */
    private static int file(long bytes, boolean touched, int seals) throws IOException {
        int descriptor = MemoryCalls.create("panama-verbs hostile");
        MemoryCalls.allocate(descriptor, bytes, "hostile");
        if (touched) {
            Path path = Path.of("/proc/self/fd/" + descriptor);
            try (FileChannel whole = FileChannel.open(path, StandardOpenOption.WRITE)) {
                whole.write(ByteBuffer.allocate((int) bytes), 0);
            }
        }
        MemoryCalls.addSeals(descriptor, seals, "hostile");
        return descriptor;
    }

    private static void isRefused(int descriptor, String reason) {
        try {
            assertThatThrownBy(() -> received(descriptor, BYTES))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(reason);
        } finally {
            SocketCalls.close(descriptor);
        }
    }

    @Test
    void takesAPeersFileWithAllSeals() throws IOException {
        int descriptor = file(BYTES, true, SealedFile.SEALS);
        received(descriptor, BYTES).close();
        SocketCalls.close(descriptor);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 16})
    void refusesAFileThatLacksASeal(int seal) throws IOException {
        assertThat(SealedFile.SEALS & seal).isEqualTo(seal);
        isRefused(file(BYTES, true, SealedFile.SEALS & ~seal), "has the seals");
    }

    @ParameterizedTest
    @ValueSource(longs = {4096, BYTES - 1, BYTES + 1, 2 * BYTES})
    void refusesAFileOfAnotherSize(long bytes) throws IOException {
        isRefused(file(bytes, true, SealedFile.SEALS), "has " + bytes + " bytes, expected " + BYTES);
    }

    @Test
    void refusesAFileWithMissingPages() throws IOException {
        isRefused(file(BYTES, false, SealedFile.SEALS), "has a hole at 0");
    }

    @Test
    void refusesAFileOnDisk(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[(int) BYTES]);
        isRefused(MemoryFiles.open(file), "F_GET_SEALS");
    }

    @Test
    void refusesAFileOfTmpfs() throws IOException {
        Path shm = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(shm), "no /dev/shm");
        Path file = Files.createTempFile(shm, "panama-verbs", "");
        try {
            Files.write(file, new byte[(int) BYTES]);
            isRefused(MemoryFiles.open(file), "has the seals");
        } finally {
            Files.delete(file);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/null", "/dev/zero", "/", "/proc/self/maps", "/dev/shm"})
    void refusesWhatIsNoFileInMemory(String path) throws IOException {
        isRefused(MemoryFiles.open(Path.of(path)), "the peer's file");
    }

    @Test
    void refusesASocket() throws IOException {
        isRefused(UnixCalls.socket(Libc.SOCK_STREAM(), UnixPair.name()), "the peer's file");
    }

    @Test
    void refusesHugePages() throws IOException {
        int descriptor = MemoryFiles.huge();
        assumeTrue(descriptor >= 0, "no huge pages");
        MemoryCalls.addSeals(descriptor, SealedFile.SEALS, "hostile");
        isRefused(descriptor, "file system");
    }

    @Test
    void refusesAFileTwice() throws IOException {
        ReceivedFile closed = new ReceivedFile(UnixCalls.socket(Libc.SOCK_STREAM(), UnixPair.name()));
        closed.close();
        closed.close();

        assertThatThrownBy(() -> closed.map(BYTES)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void keepsItsMemoryUntilItIsClosed() throws IOException {
        SealedFile file = SealedFile.create("panama-verbs test", BYTES);
        MemorySegment memory = file.memory();
        file.close();

        assertThatThrownBy(() -> memory.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    }
}
