package org.panamaverbs.iwarp.engine;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;

/** The sockets of both sides have the type of service that their side asked for. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class TypeOfServiceTest {
    // <netinet/in.h>, and one that no other socket of the process has.
    private static final int IPPROTO_IP = 0;
    private static final int IP_TOS = 1;
    private static final int RARE = 0x68;
    private static final MethodHandle GETSOCKOPT = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().find("getsockopt").orElseThrow(),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));

    @ParameterizedTest
    @CsvSource({
        "libc, true, false, 1",
        "libc, false, true, 1",
        "nio, true, false, 1",
        "nio, false, true, 1",
        "libc, true, true, 2",
        "libc, false, false, 0"
    })
    void eachSideHasItsOwn(String sockets, boolean connecting, boolean accepting, int expected) throws Exception {
        ConnectionConfig plain = ConnectionConfig.defaults();
        ConnectionConfig rare = plain.withTypeOfService(RARE);
        try (Peer client = new Peer("shm=off", "sockets=" + sockets);
                Peer server = new Peer("shm=off", "sockets=" + sockets);
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            Background<Connection> accepted = Background.start(
                    () -> listener.accept(Peer.soon()).accept(server.config(), accepting ? rare : plain, Peer.soon()));
            client.connected(client.verbs.connect(
                    listener.localAddress(), client.config(), connecting ? rare : plain, Peer.soon()));
            server.connected(accepted.get());
            assertThat(rareSockets()).isEqualTo(expected);
        }
    }

    private static int rareSockets() throws IOException {
        int count = 0;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"));
                Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT);
            MemorySegment length = arena.allocateFrom(JAVA_INT, Integer.BYTES);
            for (Path descriptor : descriptors) {
                value.set(JAVA_INT, 0, 0);
                int result =
                        getsockopt(Integer.parseInt(descriptor.getFileName().toString()), value, length);
                count += result == 0 && value.get(JAVA_INT, 0) == RARE ? 1 : 0;
            }
        }
        return count;
    }

    private static int getsockopt(int descriptor, MemorySegment value, MemorySegment length) {
        try {
            return (int) GETSOCKOPT.invokeExact(descriptor, IPPROTO_IP, IP_TOS, value, length);
        } catch (Throwable e) {
            throw new AssertionError("a downcall threw", e);
        }
    }
}
