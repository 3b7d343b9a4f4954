package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;

/** A process that is stopped in the middle of an access for longer than its peer waits. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
@EnabledIfSystemProperty(
        named = "direct.stopped",
        matches = "true",
        disabledReason = "takes 22 s: -Ddirect.stopped=true")
class DirectStoppedTest {
    @ParameterizedTest
    @ValueSource(strings = {"-CONT", "-KILL"})
    void whoIsStoppedInsideIsWaitedForTenSeconds(String signal) throws Exception {
        try (Peer server = new Peer("shm=require", "shm.direct=on");
                Listener listener = server.verbs.listen(Raw.ANY_PORT);
                ChildProcess child = new ChildProcess(
                        DirectPeer.class, "" + listener.localAddress().getPort(), "1");
                Connection connection = listener.poll(Peer.soon())
                        .orElseThrow()
                        .accept(server.config(), ConnectionConfig.defaults(), Peer.soon())) {
            assertThat(connection.isConnected()).isTrue();
            child.value("claimed=");
            child.signal("-STOP");
            long began = System.nanoTime();

            assertThatThrownBy(server.buffer::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is still accessed");

            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began))
                    .isBetween(9L, 19L);
            // It ends its access when it goes on.
            child.endInput();
            child.signal(signal);
            Raw.await("the end of the access", () -> isClosed(server));
        }
    }

    private static boolean isClosed(Peer server) {
        try {
            server.buffer.close();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }
}
