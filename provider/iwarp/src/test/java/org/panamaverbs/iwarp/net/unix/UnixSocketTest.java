package org.panamaverbs.iwarp.net.unix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.bindings.libc.cmsghdr;
import org.panamaverbs.bindings.libc.iovec;
import org.panamaverbs.bindings.libc.msghdr;
import org.panamaverbs.iwarp.net.Poller;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.TcpServer;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.iwarp.wire.Allocation;

/** Unix connections: octets, files, credentials and the bell. */
@Timeout(60)
class UnixSocketTest {
    private Footprint before;

    @BeforeAll
    static void needsSystemCalls() throws IOException {
        assumeTrue(
                SharedMemory.obstacle().isEmpty(), () -> SharedMemory.obstacle().orElse(""));
        // What is opened once for all.
        UnixPair.open().close();
    }

    @BeforeEach
    void lookBefore() throws IOException {
        before = Footprint.now();
    }

    @AfterEach
    void leavesNothing() throws IOException {
        before.hasNotGrown();
    }

    private static ByteBuffer octets(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String received(UnixSocket from) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(100);
        int octets = from.receive(into);
        assertThat(octets).isEqualTo(into.position());
        return StandardCharsets.US_ASCII.decode(into.flip()).toString();
    }

    // ---- set-up ---------------------------------------------------------------------------------------------------

    @Test
    void carriesOctetsUntilItEnds() throws IOException {
        try (UnixPair pair = UnixPair.open()) {
            assertThat(received(pair.right())).isEmpty();
            assertThat(pair.left().send(octets("token"))).isEqualTo(5);
            assertThat(received(pair.right())).isEqualTo("token");
            pair.left().close();
            assertThat(pair.right().receive(ByteBuffer.allocate(1))).isEqualTo(UnixSocket.END);
            assertThatThrownBy(() -> pair.right().send(octets("x")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("EPIPE");
        }
    }

    @Test
    void sendsAsMuchAsThereIsRoomFor() throws IOException {
        try (UnixPair pair = UnixPair.open()) {
            ByteBuffer much = ByteBuffer.allocate(16 << 20);
            int sent = pair.left().send(much);
            assertThat(sent).isPositive().isLessThan(much.capacity());
            assertThat(much.position()).isEqualTo(sent);
            assertThat(pair.left().send(octets("x"))).isZero();
        }
    }

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
            assertThat(pair.right().drain()).isTrue();
            pair.left().send(octets("two"), file);
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
                    flags = list.map(UnixSocketTest::flagsOfMemoryFile).reduce("", String::concat);
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

    // ---- names ----------------------------------------------------------------------------------------------------

    @Test
    void listensAtAPath(@TempDir Path directory) throws IOException {
        Path path = directory.resolve("socket");
        UnixName name = UnixName.ofPath(path);
        UnixServer server = UnixServer.listen(name, 4);
        assertThat(server.accept()).isNull();
        UnixSocket client = UnixSocket.connect(name);
        UnixSocket accepted = Objects.requireNonNull(server.accept());
        accepted.send(octets("hello"));
        assertThat(received(client)).isEqualTo("hello");
        client.close();
        accepted.close();
        assertThatThrownBy(() -> UnixServer.listen(name, 4))
                .isInstanceOf(IOException.class)
                .hasMessage("bind of " + path + ": EADDRINUSE (98): address in use");
        server.close();
        server.close();
        assertThatThrownBy(() -> UnixSocket.connect(name)).hasMessageContaining("ECONNREFUSED");
        Files.delete(path);
        assertThatThrownBy(() -> UnixSocket.connect(name)).hasMessageContaining("ENOENT");
    }

    @Test
    void abstractNamesEndWithTheirSocket() throws IOException {
        UnixName name = UnixPair.name();
        UnixServer server = UnixServer.listen(name, 4);
        assertThatThrownBy(() -> UnixServer.listen(name, 4)).hasMessageContaining("EADDRINUSE");
        server.close();
        UnixServer.listen(name, 4).close();
        assertThatThrownBy(() -> UnixSocket.connect(name)).hasMessageContaining("ECONNREFUSED");
    }

    @Test
    void namesHaveAtMost107Octets() throws IOException {
        UnixName longest = UnixName.ofAbstract("x".repeat(UnixName.MAX_BYTES));
        UnixServer server = UnixServer.listen(longest, 1);
        assertThatThrownBy(() -> UnixSocket.connect(UnixName.ofAbstract("x".repeat(UnixName.MAX_BYTES - 1))))
                .isInstanceOf(IOException.class);
        UnixSocket.connect(longest).close();
        server.close();
        assertThatIllegalArgumentException().isThrownBy(() -> UnixName.ofAbstract("x".repeat(108)));
        assertThatIllegalArgumentException().isThrownBy(() -> UnixName.ofAbstract("\u00e4".repeat(54)));
        assertThatIllegalArgumentException().isThrownBy(() -> UnixName.ofAbstract(""));
        assertThatIllegalArgumentException().isThrownBy(() -> UnixName.ofPath(Path.of("/" + "x".repeat(107))));
        assertThat(longest).hasToString("@" + "x".repeat(107));
    }

    @Test
    void doesNotWaitForAFullBacklog() throws IOException {
        UnixName name = UnixPair.name();
        UnixServer server = UnixServer.listen(name, 1);
        List<UnixSocket> clients = new ArrayList<>();
        assertThatThrownBy(() -> {
                    while (clients.size() < 100) {
                        clients.add(UnixSocket.connect(name));
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("EAGAIN");
        clients.forEach(UnixSocket::close);
        server.close();
    }

    @Test
    void hintsAreTakenOnceAndEndWithTheirHolder() throws IOException {
        UnixName name = UnixPair.name();
        assertThat(Hint.exists(name)).isFalse();
        Hint hint = Objects.requireNonNull(Hint.bind(name));
        assertThat(Hint.exists(name)).isTrue();
        assertThat(Hint.bind(name)).isNull();
        hint.close();
        assertThat(Hint.exists(name)).isFalse();
        Objects.requireNonNull(Hint.bind(name)).close();
        UnixServer other = UnixServer.listen(name, 1);
        assertThat(Hint.exists(name)).as("another kind of socket").isFalse();
        other.close();
    }

    // ---- credentials ----------------------------------------------------------------------------------------------

    @Test
    void knowsThisProcessAndItsUser() throws IOException {
        try (UnixPair pair = UnixPair.open()) {
            PeerUser peer = pair.left().peerUser();
            assertThat(peer).isEqualTo(pair.right().peerUser());
            assertThat(peer.process()).isEqualTo((int) ProcessHandle.current().pid());
            assertThat(peer.isSameUser()).isTrue();
            assertThat(new PeerUser(1, peer.user() + 1).isSameUser()).isFalse();
            assertThat(peer).hasToString("user " + peer.user() + ", process " + peer.process());
        }
    }

    /** A process of another user, which only root can make. */
    @Test
    void knowsAnotherUser() throws Exception {
        assumeTrue(PeerUser.effectiveUser() == 0, "not root");
        UnixServer server = UnixServer.listen(UnixPair.name(), 1);
        String connect = "socket(S, AF_UNIX, SOCK_STREAM, 0) and connect(S, pack_sockaddr_un(qq(\\0$ARGV[0])))"
                + " and sysread(S, $_, 1)";
        String path = server.name().toString().substring(1);
        Process other =
                child("setpriv", "--reuid=12345", "--clear-groups", "/usr/bin/perl", "-MSocket", "-e", connect, path);
        try {
            UnixSocket accepted = accept(server, other);
            assertThat(accepted.peerUser()).isEqualTo(new PeerUser((int) other.pid(), 12_345));
            assertThat(accepted.peerUser().isSameUser()).isFalse();
            accepted.close();
        } finally {
            end(other);
            server.close();
        }
    }

    private static Process child(String... command) {
        try {
            return new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "cannot run " + command[0]);
            throw new AssertionError(e);
        }
    }

    private static UnixSocket accept(UnixServer server, Process other) throws IOException {
        UnixSocket accepted = server.accept();
        while (accepted == null) {
            assumeTrue(other.isAlive(), "setpriv or perl is missing");
            Thread.onSpinWait();
            accepted = server.accept();
        }
        return accepted;
    }

    private static void end(Process other) throws Exception {
        other.destroyForcibly();
        assertThat(other.waitFor(10, TimeUnit.SECONDS)).isTrue();
        other.getInputStream().close();
        other.getErrorStream().close();
        other.getOutputStream().close();
    }

    // ---- the bell -------------------------------------------------------------------------------------------------

    @Test
    void wakesWhoWaits() throws IOException {
        Sockets sockets = SystemSockets.libc();
        Poller poller = sockets.poller();
        try (UnixPair pair = UnixPair.open()) {
            List<Watch> ready = new ArrayList<>();
            Watch watch = poller.register(pair.right(), Watch.READ, "bell");
            poller.select(ready::add, 0);
            assertThat(ready).isEmpty();
            pair.left().ring();
            poller.select(ready::add, Poller.FOREVER);
            assertThat(ready).containsExactly(watch);
            assertThat(pair.right().drain()).isTrue();
            assertThat(pair.right().drain()).isTrue();
            ready.clear();
            poller.select(ready::add, 0);
            assertThat(ready).isEmpty();
            pair.left().close();
            poller.select(ready::add, Poller.FOREVER);
            assertThat(ready).containsExactly(watch);
            assertThat(pair.right().drain()).isFalse();
            assertThatThrownBy(() -> pair.right().ring()).hasMessageContaining("EPIPE");
        } finally {
            poller.close();
        }
    }

    @Test
    void ringsThoughNobodyListens() throws IOException {
        try (UnixPair pair = UnixPair.open()) {
            for (int i = 0; i < 3000; i++) {
                pair.left().ring();
            }
            int rounds = 0;
            while (rounds < 100 && pair.right().drain()) {
                rounds++;
            }
            pair.left().ring();
            assertThat(pair.right().drain()).isTrue();
            pair.left().ring();
            pair.left().close();
            assertThat(pair.right().drain()).as("octets before the end").isTrue();
            assertThat(pair.right().drain()).isFalse();
        }
    }

    @Test
    void seesThatThePeerIsGoneBehindItsOctets() throws IOException {
        Sockets sockets = SystemSockets.libc();
        TcpServer server = sockets.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1, true);
        TcpSocket client = sockets.open(server.localAddress().getAddress().getAddress().length == 16);
        try (UnixPair pair = UnixPair.open()) {
            client.connect(server.localAddress());
            TcpSocket accepted = null;
            while (accepted == null) {
                accepted = server.accept();
            }
            assertThat(pair.right().isPeerGone(accepted)).isFalse();
            pair.left().ring();
            assertThat(pair.right().isPeerGone(accepted)).isFalse();
            client.write(octets("x"));
            assertThat(pair.right().isPeerGone(accepted)).as("an octet by TCP").isTrue();
            assertThat(accepted.read(ByteBuffer.allocate(9))).isEqualTo(1);
            assertThat(pair.right().isPeerGone(accepted)).isFalse();
            client.close();
            assertThat(pair.right().isPeerGone(accepted)).as("the end of TCP").isTrue();
            accepted.close();
            assertThat(pair.right().isPeerGone(accepted)).as("no TCP").isTrue();
        } finally {
            client.close();
            server.close();
        }
    }

    @Test
    void allocatesNothing() throws IOException {
        try (UnixPair pair = UnixPair.open();
                UnixPair line = UnixPair.open()) {
            assertThat(Allocation.bytesPerThousand(() -> {
                        try {
                            pair.left().ring();
                            assertThatIsTrue(pair.right().drain());
                            assertThatIsTrue(!pair.right().isPeerGone(line.left()));
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    }))
                    .isZero();
        }
    }

    private static void assertThatIsTrue(boolean condition) {
        if (!condition) {
            throw new AssertionError();
        }
    }
}
