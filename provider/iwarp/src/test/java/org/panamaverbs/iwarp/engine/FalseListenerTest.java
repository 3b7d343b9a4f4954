package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.net.unix.Perl;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.shm.RingLayout;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;
import org.panamaverbs.iwarp.wire.ShmAnswer;
import org.panamaverbs.iwarp.wire.ShmOffer;

/** Listeners that give the hint of shared memory and are none, or do not keep to its set-up. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class FalseListenerTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFalseHintCostsOneReconnect(boolean reset) throws Exception {
        try (FalseListener other = new FalseListener();
                Peer client = new Peer("shm=auto")) {
            Background<byte[]> heard = Background.start(() -> {
                Socket first = other.offered();
                if (reset) {
                    Raw.reset(first);
                } else {
                    first.close();
                }
                try (Socket second = other.tcp.accept()) {
                    return second.getInputStream().readNBytes(16);
                }
            });
            assertThatThrownBy(() -> client.verbs.connect(other.address(), client.config(), Peer.soon()))
                    .isInstanceOf(ConnectionException.class);
            assertThat(new String(heard.get(), StandardCharsets.US_ASCII)).isEqualTo("MPA ID Req Frame");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoRequiresSharedMemoryIsToldOfAFalseHint(boolean reset) throws Exception {
        try (FalseListener other = new FalseListener();
                Peer client = new Peer("shm=require")) {
            Background<?> heard = Background.start(() -> {
                Socket first = other.offered();
                if (reset) {
                    Raw.reset(first);
                } else {
                    first.close();
                }
                return 0;
            });
            assertThatThrownBy(() -> client.verbs.connect(other.address(), client.config(), Peer.soon()))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            ended -> assertThat(ended.reason()).isEqualTo(Reason.RESET))
                    .hasMessageContaining("Offer of shared memory")
                    .hasMessageNotContaining("revision=1");
            heard.get();
        }
    }

    /** A program that connects anew after RESET gets what the listener lacks only for now. */
    @ParameterizedTest
    @CsvSource({
        "RESOURCES, RESET",
        "VERSION, NEGOTIATION",
        "UNREACHABLE, NEGOTIATION",
        "USER, NEGOTIATION",
        "OTHER, NEGOTIATION"
    })
    void whoRequiresSharedMemoryMayTryAgainForAListenerThatLacksResources(ShmAnswer.Outcome outcome, Reason reason)
            throws Exception {
        try (FalseListener other = new FalseListener();
                Peer client = new Peer("shm=require")) {
            Background<?> heard = Background.start(() -> {
                try (Socket socket = other.offered()) {
                    socket.getOutputStream()
                            .write(new ShmAnswer(1, outcome).encode().array());
                    return socket.getInputStream().read();
                }
            });
            assertThatThrownBy(() -> client.verbs.connect(other.address(), client.config(), Peer.soon()))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            ended -> assertThat(ended.reason()).isEqualTo(reason))
                    .hasMessageContainingAll("shm=require", outcome.text(), "; remedy: ", "shm=auto");
            heard.get();
        }
    }

    @Test
    void whoRequiresSharedMemoryMayTryAgainWhereTheListenerEndsItsSetUp() throws Exception {
        try (FalseListener other = new FalseListener();
                Peer client = new Peer("shm=require")) {
            Background<?> heard = Background.start(() -> {
                try (Socket socket = other.tcp.accept()) {
                    UnixSocket unix = other.meet(socket, 0);
                    FalseListener.awaitFile(unix);
                    unix.close();
                    return socket.getInputStream().read();
                }
            });
            assertThatThrownBy(() -> client.verbs.connect(other.address(), client.config(), Peer.soon()))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            ended -> assertThat(ended.reason()).isEqualTo(Reason.RESET))
                    .hasMessageContainingAll("the peer ended the set-up of shared memory", "; remedy: ")
                    .hasMessageNotContaining("revision=1");
            heard.get();
        }
    }

    @Test
    void whatIsNoAnswerBreaksTheProtocol() throws Exception {
        try (FalseListener other = new FalseListener();
                Peer client = new Peer("shm=auto")) {
            Background<?> heard = Background.start(() -> {
                try (Socket socket = other.offered()) {
                    socket.getOutputStream().write(new byte[ShmAnswer.BYTES]);
                    return socket.getInputStream().read();
                }
            });
            assertThatThrownBy(() -> client.verbs.connect(other.address(), client.config(), Peer.soon()))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            ended -> assertThat(ended.reason()).isEqualTo(Reason.PROTOCOL))
                    .hasMessageContaining("not an Answer to the Offer")
                    .hasMessageNotContaining("revision=1");
            heard.get();
        }
    }

    @Test
    void whoSaysThatItCameAndDidNotGetsMpaOverTcp() throws Exception {
        try (FalseListener other = new FalseListener();
                Peer client = new Peer("shm=auto")) {
            Background<byte[]> heard = Background.start(() -> {
                try (Socket socket = other.offered()) {
                    socket.getOutputStream()
                            .write(new ShmAnswer(1, ShmAnswer.Outcome.TAKEN)
                                    .encode()
                                    .array());
                    return socket.getInputStream().readNBytes(16);
                }
            });
            assertThatThrownBy(() -> client.verbs.connect(other.address(), client.config(), Peer.soon()))
                    .isInstanceOf(ConnectionException.class);
            assertThat(new String(heard.get(), StandardCharsets.US_ASCII)).isEqualTo("MPA ID Req Frame");
        }
    }

    @Test
    void whoDoesNotAnswerIsNamedWhenTheDeadlinePasses() throws Exception {
        try (FalseListener other = new FalseListener();
                Peer client = new Peer("shm=auto")) {
            assertThatThrownBy(() ->
                            client.verbs.connect(other.address(), client.config(), Deadline.in(1, TimeUnit.SECONDS)))
                    .isInstanceOf(DeadlineExceededException.class)
                    .hasMessageContaining("did not answer the Offer of shared memory");
        }
    }

    @Test
    void strangersWhoComeFirstArePassedOver() throws Exception {
        try (FalseListener other = new FalseListener();
                Peer client = new Peer("shm=auto")) {
            Background<byte[]> heard = Background.start(() -> {
                try (Socket socket = other.tcp.accept()) {
                    UnixSocket unix = other.meet(socket, 20);
                    FalseListener.awaitFile(unix);
                    unix.close();
                    return socket.getInputStream().readNBytes(16);
                }
            });
            assertThatThrownBy(() -> client.verbs.connect(other.address(), client.config(), Peer.soon()))
                    .isInstanceOf(ConnectionException.class);
            assertThat(new String(heard.get(), StandardCharsets.US_ASCII)).isEqualTo("MPA ID Req Frame");
        }
    }

    /** A process of another user, which only root can make, comes first: what it has sent is not received. */
    @Test
    void nothingIsReceivedFromAStranger() throws Exception {
        Perl.assumeItRunsAsAnother();
        // It says what became of its connection: an error number if it was closed with bytes unread.
        String connect = "$| = 1; socket(S, AF_UNIX, SOCK_STREAM, 0) and connect(S, pack_sockaddr_un(qq(\\0$ARGV[0])))"
                + " and syswrite(S, q(x) x 16) == 16 or exit 1; print qq(there\\n);"
                + " for (1..2000) { $e = unpack(q(i), getsockopt(S, SOL_SOCKET, SO_ERROR));"
                + " last if $e; select(undef, undef, undef, 0.005) } print qq($e\\n)";
        try (FalseListener other = new FalseListener();
                Peer client = new Peer("shm=auto")) {
            Background<String> heard = Background.start(() -> {
                try (Socket socket = other.tcp.accept()) {
                    ShmOffer offer = FalseListener.offer(socket);
                    Process stranger = Perl.startAsAnother(connect, "panama-verbs/1/" + offer.name());
                    try (BufferedReader said = stranger.inputReader()) {
                        assertThat(said.readLine()).isEqualTo("there");
                        UnixSocket unix = other.meet(socket, offer);
                        FalseListener.awaitFile(unix);
                        unix.close();
                        return Objects.requireNonNullElse(said.readLine(), "nothing");
                    } finally {
                        stranger.destroyForcibly();
                    }
                }
            });
            assertThatThrownBy(() -> client.verbs.connect(other.address(), client.config(), Peer.soon()))
                    .isInstanceOf(ConnectionException.class);
            assertThat(heard.get()).isEqualTo("" + Errno.ECONNRESET);
        }
    }

    /** Its file is here when it has gone already: nobody takes what the initiator says then. */
    @Test
    void whoLeavesAtTheLastStepGetsMpaOverTcp() throws Exception {
        try (FalseListener other = new FalseListener();
                Peer client = new Peer("shm=auto");
                SealedFile file = SealedFile.create("a false listener", RingLayout.fileBytes(65_536))) {
            RingLayout.format(file.memory(), 65_536);
            EventLoop loop = ((IwarpVerbs) client.verbs).context().loop();
            Background<byte[]> heard = Background.start(() -> {
                try (Socket socket = other.tcp.accept()) {
                    UnixSocket unix = other.meet(socket, 0);
                    FalseListener.awaitFile(unix);
                    CountDownLatch held = new CountDownLatch(1);
                    CountDownLatch gone = new CountDownLatch(1);
                    loop.execute(() -> {
                        held.countDown();
                        await(gone);
                    });
                    await(held);
                    unix.send(OfferingPeer.size(file.memory().byteSize()), file);
                    unix.close();
                    gone.countDown();
                    return socket.getInputStream().readNBytes(16);
                }
            });
            assertThatThrownBy(() -> client.verbs.connect(other.address(), client.config(), Peer.soon()))
                    .isInstanceOf(ConnectionException.class);
            assertThat(new String(heard.get(), StandardCharsets.US_ASCII)).isEqualTo("MPA ID Req Frame");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
