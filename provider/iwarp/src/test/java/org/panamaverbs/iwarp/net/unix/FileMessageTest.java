package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.bindings.libc.cmsghdr;
import org.panamaverbs.bindings.libc.iovec;
import org.panamaverbs.bindings.libc.msghdr;
import org.panamaverbs.iwarp.net.LibcDescriptor;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.TcpServer;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.call.LibcCalls;

/** Files that go with the octets of a Unix connection. */
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
            sendTimes(pair.left().descriptorOrNone(), file.descriptor(), count);

            assertThatThrownBy(() -> pair.right().receiveWithFile(ByteBuffer.allocate(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("more than one file");
        }
    }

    private static void sendTimes(int socket, int file, int count) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = arena.allocate(iovec.layout());
            iovec.iov_base(entry, arena.allocate(1));
            iovec.iov_len(entry, 1);
            MemorySegment control = arena.allocate((cmsghdr.sizeof() + 4L * count + 7) & -8, 8);
            cmsghdr.cmsg_len(control, cmsghdr.sizeof() + 4L * count);
            cmsghdr.cmsg_level(control, Libc.SOL_SOCKET());
            cmsghdr.cmsg_type(control, Libc.SCM_RIGHTS());
            for (int i = 0; i < count; i++) {
                control.set(JAVA_INT, cmsghdr.sizeof() + 4L * i, file);
            }
            MemorySegment message = arena.allocate(msghdr.layout());
            msghdr.msg_iov(message, entry);
            msghdr.msg_iovlen(message, 1);
            msghdr.msg_control(message, control);
            msghdr.msg_controllen(message, control.byteSize());
            assertThat(UnixCalls.send(socket, message)).isEqualTo(1);
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

    // ---- what is closed late --------------------------------------------------------------------------------------

    /** A socket with octets that its peer never takes, whose last descriptor waits for that when it is closed. */
    private static final class Lingering implements AutoCloseable {
        private static final int SECONDS = 30;
        private static final MethodHandle SETSOCKOPT = LibcCalls.handle(
                "setsockopt",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT),
                false);
        private final TcpSocket far;

        /** Makes a socket whose only descriptors are then on their way from {@code to}, {@code count} times. */
        Lingering(UnixSocket to, int count) throws IOException {
            Sockets sockets = SystemSockets.libc();
            TcpServer server = sockets.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1, true);
            TcpSocket near = sockets.open(server.localAddress().getAddress().getAddress().length == 16);
            near.connect(server.localAddress());
            TcpSocket accepted = server.accept();
            while (accepted == null) {
                accepted = server.accept();
            }
            far = accepted;
            server.close();
            ByteBuffer much = ByteBuffer.allocateDirect(1 << 20);
            while (near.write(much.clear()) > 0) {
                assertThat(much.capacity()).isPositive();
            }
            int descriptor = ((LibcDescriptor) near).descriptorOrNone();
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment linger = arena.allocateFrom(JAVA_INT, 1, SECONDS);
                assertThat(UnixCalls.call(state -> (int) SETSOCKOPT.invokeExact(
                                state, descriptor, Libc.SOL_SOCKET(), Libc.SO_LINGER(), linger.address(), 8)))
                        .isZero();
            }
            sendTimes(to.descriptorOrNone(), descriptor, count);
            // Not the last one.
            near.close();
        }

        @Override
        public void close() {
            // Resets it: then nobody waits any more.
            far.close(true);
        }
    }

    private static void assertSoon(long begun) {
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun)).isLessThan(Lingering.SECONDS / 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 253})
    void doesNotWaitForWhatItRefuses(int count) throws IOException {
        try (UnixPair pair = UnixPair.open();
                Lingering sent = new Lingering(pair.left(), count)) {
            long begun = System.nanoTime();
            assertThatThrownBy(() -> {
                        try (FileMessage message = pair.right().receiveWithFile(ByteBuffer.allocate(1))) {
                            Objects.requireNonNull(message.file()).map(8192);
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertSoon(begun);
            assertThat(sent.far.isOpen()).isTrue();
        }
    }

    @Test
    void doesNotWaitForWhatNobodyHasReceived() throws IOException {
        try (UnixPair pair = UnixPair.open();
                Lingering sent = new Lingering(pair.left(), 1)) {
            long begun = System.nanoTime();
            pair.right().close();
            assertSoon(begun);
            assertThat(sent.far.isOpen()).isTrue();
        }
    }

    @Test
    void doesNotWaitForWhatNobodyHasAccepted() throws IOException {
        UnixName name = UnixPair.name();
        UnixServer server = UnixServer.listen(name, 1);
        UnixSocket client = UnixSocket.connect(name);
        try (Lingering sent = new Lingering(client, 1)) {
            long begun = System.nanoTime();
            server.close();
            assertSoon(begun);
            assertThat(sent.far.isOpen()).isTrue();
        } finally {
            client.close();
        }
    }
}
