package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.net.unix.SharedDirectory;

/** A process that is killed while it sets shared memory up by way of a directory: as {@link KilledSetupTest}. */
@Tag("proof")
class SharedDirectoryKillTest extends SharedDirectoryFixture {
    @ParameterizedTest
    @EnumSource
    void anInitiatorLeavesAtMostAFileThatTheNextRemoves(SetupStep.Initiator step) throws Exception {
        // The peer's end, and not this side's limit, is what ends the set-up.
        Peer server = peer("handshake.timeout=100s");
        try (Listener listener = listen(server)) {
            List<String> before = leftovers();
            try (ChildProcess child = new ChildProcess(
                    SetupStep.class,
                    "" + listener.localAddress().getPort(),
                    step.name(),
                    here.getHostAddress(),
                    directory.toString(),
                    "127.0.0.1")) {
                child.value("sits");
                Optional<ConnectionRequest> asked =
                        step == SetupStep.Initiator.ASKED ? listener.poll(Peer.soon()) : Optional.empty();

                child.kill();

                asked.ifPresent(request -> assertThatThrownBy(
                                () -> request.accept(server.config(), ConnectionConfig.defaults(), Peer.soon()))
                        .isInstanceOf(ConnectionException.class));
                Raw.await("what was there before", () -> leftovers().equals(before));
            }
            assertThat(left()).hasSize(step == SetupStep.Initiator.CONNECTED ? 0 : 1);

            isOld(directory);
            Peer next = peer("shm=require");
            connect(next, server, listener);
            sharesMemory(next);
            assertThat(left()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aListenerFailsTheConnectionAndIsToldOfNoMore(SetupStep.Responder step) throws Exception {
        Peer client = peer();
        try (ChildProcess child =
                new ChildProcess(SetupStep.class, "0", step.name(), here.getHostAddress(), directory.toString())) {
            List<String> before = leftovers();
            InetSocketAddress address = new InetSocketAddress(here, Integer.parseInt(child.value("port=")));
            String told = "panama-verbs/1/" + address.getPort() + "/" + here.getHostAddress();
            assertThat(isTold(told)).isTrue();
            Background<Boolean> killed = Background.start(() -> {
                child.value("sits");
                child.kill();
                return true;
            });
            assertThatThrownBy(() -> client.verbs.connect(address, client.config(), FROM_LOOPBACK, Peer.soon()))
                    .isInstanceOf(ConnectionException.class)
                    .isNotInstanceOf(DeadlineExceededException.class);
            assertThat(killed.get()).isTrue();
            Raw.await("what was there before", () -> leftovers().equals(before));
            assertThat(isTold(told)).isFalse();
        }
        assertThat(left()).isEmpty();
    }

    private boolean isTold(String text) throws IOException {
        try (SharedDirectory asker = SharedDirectory.open(directory)) {
            return asker.isTold(text);
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
