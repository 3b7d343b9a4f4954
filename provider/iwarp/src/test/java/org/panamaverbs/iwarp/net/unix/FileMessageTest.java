package org.panamaverbs.iwarp.net.unix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.bindings.libc.Libc;

/** Files that go with the bytes of a Unix connection. */
class FileMessageTest extends UnixFixture {
    @Test
    void carriesAFileWithItsOctets() throws IOException {
        try (UnixPair pair = UnixPair.open();
                SealedFile file = SealedFile.create("panama-verbs test", 8192)) {
            assertThat(pair.left().send(octets("file"), file)).isEqualTo(4);
            ByteBuffer into = ByteBuffer.allocateDirect(10).position(1);
            try (FileMessage message = pair.right().receiveWithFile(into)) {
                assertThat(message.octets()).isEqualTo(4);
                assertThat(into.position()).isEqualTo(5);
                assertThat(into.get(4)).isEqualTo((byte) 'e');
                try (SealedFile mapped = Objects.requireNonNull(message.file()).map(8192)) {
                    assertThat(mapped.memory().byteSize()).isEqualTo(8192);
                }
            }
        }
    }

    /** Whoever connects sends none before it is known. */
    @Test
    void noFileComesBeforeFilesAreTaken() throws IOException {
        UnixName name = UnixPair.name();
        UnixServer server = UnixServer.listen(name, 1);
        UnixSocket client = UnixSocket.connect(name);
        try (SealedFile file = SealedFile.create("panama-verbs test", 8192)) {
            assumeTrue(SentDescriptors.canBeRefused(client), "the kernel has no SO_PASSRIGHTS");
            assertRefused(client, file);
            UnixSocket accepted = Objects.requireNonNull(server.accept());
            assertRefused(client, file);
            assertRefused(accepted, file);
            assertThat(client.send(octets("y"))).isOne();

            accepted.takeFiles();

            assertThat(client.send(octets("x"), file)).isOne();
            assertThat(accepted.receive(ByteBuffer.allocate(1))).isOne();
            try (FileMessage message = accepted.receiveWithFile(ByteBuffer.allocate(1))) {
                assertThat(message.file()).isNotNull();
            }
            accepted.close();
        } finally {
            client.close();
            server.close();
        }
    }

    private static void assertRefused(UnixSocket from, SealedFile file) {
        assertThatThrownBy(() -> from.send(octets("x"), file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("EPERM");
    }

    @Test
    void hasNoFileWhereNoneWasSent() throws IOException {
        try (UnixPair pair = UnixPair.open()) {
            assertThat(pair.right().receiveWithFile(ByteBuffer.allocate(1))).isEqualTo(new FileMessage(0, null));
            pair.left().send(octets("x"));
            assertThat(pair.right().receiveWithFile(ByteBuffer.allocate(1))).isEqualTo(new FileMessage(1, null));
            pair.left().close();
            assertThat(pair.right().receiveWithFile(ByteBuffer.allocate(1)))
                    .isEqualTo(new FileMessage(UnixSocket.END, null));
        }
    }

    /** The system closes what is not taken, or the buffer takes it: nothing is left over. */
    @Test
    void closesAFileThatNobodyWants() throws IOException {
        try (UnixPair pair = UnixPair.open();
                SealedFile file = SealedFile.create("panama-verbs test", 8192)) {
            pair.left().send(octets("one"), file);
            assertThat(received(pair.right())).isEqualTo("one");
            pair.left().send(octets("two"), file);
            pair.left().send(octets("three"), file);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 64, 65, 250})
    void refusesMoreThanOneFile(int count) throws IOException {
        try (UnixPair pair = UnixPair.open();
                SealedFile file = SealedFile.create("panama-verbs test", 8192)) {
            SentDescriptors.send(pair.left(), file.descriptor(), count);

            assertThatThrownBy(() -> pair.right().receiveWithFile(ByteBuffer.allocate(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("more than one file");
        }
    }

    @Test
    void receivedFilesAreClosedInChildren() throws IOException {
        try (UnixPair pair = UnixPair.open();
                SealedFile file = SealedFile.create("panama-verbs test", 8192)) {
            pair.left().send(octets("x"), file);
            try (FileMessage message = pair.right().receiveWithFile(ByteBuffer.allocate(1))) {
                assertThat(message.file()).isNotNull();
                String flags;
                try (var list = Files.list(Path.of("/proc/self/fdinfo"))) {
                    flags = list.map(FileMessageTest::flagsOfMemoryFile).reduce("", String::concat);
                }
                // Two descriptors, each with O_CLOEXEC.
                assertThat(flags).isEqualTo("CC");
            }
        }
    }

    private static String flagsOfMemoryFile(Path info) {
        try {
            Path descriptor = Path.of("/proc/self/fd").resolve(info.getFileName());
            if (!Files.readSymbolicLink(descriptor).toString().contains("memfd:panama-verbs test")) {
                return "";
            }
            return Files.readAllLines(info).stream()
                    .filter(line -> line.startsWith("flags:"))
                    .map(line -> (Integer.parseInt(line.substring(6).strip(), 8) & Libc.O_CLOEXEC()) != 0 ? "C" : "-")
                    .reduce("", String::concat);
        } catch (IOException e) {
            return "";
        }
    }
}
