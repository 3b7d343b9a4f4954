package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;

/** A process that is killed while it sets shared memory up with this one: it is told, and nothing is left. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class KilledSetupTest {
    @ParameterizedTest
    @EnumSource
    void anInitiatorLeavesNothing(SetupStep.Initiator step) throws Exception {
        // The peer's end, and not this side's limit, is what ends the set-up.
        try (Peer server = new Peer("shm=auto", "handshake.timeout=100s");
                Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Peer friend = new Peer("shm=require")) {
            Peer.connect(friend, server, listener);
            List<String> before = SharedMemoryProcessTest.leftovers();
            try (ChildProcess child = new ChildProcess(
                    SetupStep.class, "" + listener.localAddress().getPort(), step.name())) {
                child.value("sits");
                Optional<ConnectionRequest> asked =
                        step == SetupStep.Initiator.ASKED ? listener.poll(Peer.soon()) : Optional.empty();

                child.kill();

                asked.ifPresent(request -> assertThatThrownBy(
                                () -> request.accept(server.config(), ConnectionConfig.defaults(), Peer.soon()))
                        .isInstanceOf(ConnectionException.class));
                Raw.await("what was there before", () -> leftovers().equals(before));
            }
            friend.queuePair().write(1, friend.buffer, 0, 4096, Peer.remote(server), 0, SIGNALED);
            friend.nextOk();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aListenerFailsTheConnection(SetupStep.Responder step) throws Exception {
        try (Peer client = new Peer("shm=auto");
                ChildProcess child = new ChildProcess(SetupStep.class, "0", step.name())) {
            List<String> before = leftovers();
            int port = Integer.parseInt(child.value("port="));
            InetSocketAddress address = new InetSocketAddress(Raw.ANY_PORT.getAddress(), port);
            Background<Boolean> killed = Background.start(() -> {
                child.value("sits");
                child.kill();
                return true;
            });
            assertThatThrownBy(() -> client.verbs.connect(address, client.config(), Peer.soon()))
                    .isInstanceOf(ConnectionException.class)
                    .isNotInstanceOf(DeadlineExceededException.class);
            assertThat(killed.get()).isTrue();
            Raw.await("what was there before", () -> leftovers().equals(before));
        }
    }

    private static List<String> leftovers() {
        try {
            return SharedMemoryProcessTest.leftovers();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
