package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.iwarp.net.unix.SealedFile;

/**
 * The first connection of a process, which loads much: a peer that TCP has connected does not wait for that. Linux's
 * siw gives it five seconds for an MPA Request, which an emulated processor needs for classes and linked calls alone.
 */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class FirstConnectionTest {
    private static final List<String> SAYS_WHAT_IT_LOADS =
            List.of("env", "JAVA_TOOL_OPTIONS=-Xlog:class+load:stdout:none");

    @Test
    void sharedMemoryIsTriedBeforeTcpConnects() throws Exception {
        try (ChildProcess child = new ChildProcess(SAYS_WHAT_IT_LOADS, Initiator.class)) {
            assertThat(child.value(SealedFile.class.getName() + " ")).contains("source:");

            child.value(Heard.class.getName() + " ");
            assertThat(child.endsWell()).isTrue();
        }
    }

    /** The other process: connects to a listener of its own, which leaves. */
    static final class Initiator {
        private Initiator() {}

        public static void main(String[] arguments) throws Exception {
            try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    Peer peer = new Peer("shm=auto")) {
                Background<Integer> heard = Background.start(() -> {
                    try (Socket connection = listener.accept()) {
                        return Heard.from(connection);
                    }
                });
                var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
                try {
                    peer.verbs.connect(address, peer.config(), ConnectionConfig.defaults(), Peer.soon());
                    throw new AssertionError("connected with nobody");
                } catch (ConnectionException e) {
                    heard.get();
                }
            }
        }
    }

    /** Is loaded once TCP has connected. */
    private static final class Heard {
        private Heard() {}

        static int from(Socket connection) {
            return connection.getPort();
        }
    }
}
