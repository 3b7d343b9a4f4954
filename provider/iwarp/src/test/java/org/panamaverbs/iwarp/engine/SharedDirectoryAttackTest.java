package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.net.unix.BindMount;
import org.panamaverbs.iwarp.net.unix.Perl;
import org.panamaverbs.iwarp.net.unix.SharedDirectory;
import org.panamaverbs.iwarp.net.unix.UnixName;
import org.panamaverbs.iwarp.net.unix.UnixServer;
import org.panamaverbs.iwarp.wire.ShmAnswer;
import org.panamaverbs.iwarp.wire.ShmOffer;

/** Strangers and peers who do as they please in the directory in which others meet. */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class SharedDirectoryAttackTest extends SharedDirectoryFixture {
    @TempDir
    private Path elsewhere;

    private final List<BindMount> mounts = new ArrayList<>();

    @AfterEach
    void unmount() throws IOException {
        for (BindMount mount : mounts) {
            mount.close();
        }
    }

    private Path name() {
        return directory.resolve("shm-" + OfferingPeer.NAME);
    }

    // ---- names that lead elsewhere --------------------------------------------------------------------------------

    enum Trap {
        SYMBOLIC_LINK,
        HARD_LINK,
        FILE,
        MOUNT,
        NOTHING
    }

    /** A peer that would have the listener go, with bytes of its choice, to a service that trusts its user. */
    @ParameterizedTest
    @EnumSource
    void aListenerIsNotSentElsewhere(Trap trap) throws Exception {
        Peer server = peer("handshake.timeout=5s");
        Path path = elsewhere.resolve("service");
        UnixServer service = UnixServer.listen(UnixName.ofPath(path), 4);
        switch (trap) {
            case SYMBOLIC_LINK -> Files.createSymbolicLink(name(), path);
            case HARD_LINK -> Files.createLink(name(), path);
            case FILE -> Files.createFile(name());
            case MOUNT -> mounts.add(BindMount.of(path, Files.createFile(name())));
            case NOTHING -> assertThat(name()).doesNotExist();
        }
        try (Listener listener = listen(server);
                OfferingPeer peer = OfferingPeer.in(service, listener.localAddress(), "127.0.0.1")) {
            assertThat(peer.answer()).isEqualTo(ShmAnswer.Outcome.UNREACHABLE);
            assertThat(service.accept()).as("who came to the service").isNull();
            peer.send(OfferingPeer.request());
            listener.poll(Peer.soon()).orElseThrow().close();
        }
    }

    /** Who replaces the socket of another has the token, and nobody to show it to. */
    @Test
    void aReplacedSocketLeavesBothOnTcp() throws Exception {
        Peer client = peer();
        try (FalseListener other = new FalseListener(here, directory)) {
            Background<byte[]> heard = Background.start(() -> {
                try (Socket socket = other.tcp.accept();
                        SharedDirectory stranger = SharedDirectory.open(directory)) {
                    ShmOffer offer = FalseListener.offer(socket);
                    Path file = directory.resolve("shm-" + offer.name());
                    Files.delete(file);
                    UnixServer replaced = stranger.listen(offer.name().toString(), 4, false);
                    other.meet(socket, offer).close();
                    Objects.requireNonNull(replaced.accept()).close();
                    replaced.close();
                    return socket.getInputStream().readNBytes(16);
                }
            });
            assertThatThrownBy(() -> client.verbs.connect(other.address(), client.config(), FROM_LOOPBACK, Peer.soon()))
                    .isInstanceOf(ConnectionException.class);
            assertThat(new String(heard.get(), StandardCharsets.US_ASCII)).isEqualTo("MPA ID Req Frame");
        }
        assertThat(left()).isEmpty();
    }

    @Test
    void strangersWhoComeFirstArePassedOver() throws Exception {
        Peer client = peer();
        try (FalseListener other = new FalseListener(here, directory)) {
            Background<byte[]> heard = Background.start(() -> {
                try (Socket socket = other.tcp.accept()) {
                    var unix = other.meet(socket, 20);
                    FalseListener.awaitFile(unix);
                    unix.close();
                    return socket.getInputStream().readNBytes(16);
                }
            });
            assertThatThrownBy(() -> client.verbs.connect(other.address(), client.config(), FROM_LOOPBACK, Peer.soon()))
                    .isInstanceOf(ConnectionException.class);
            assertThat(new String(heard.get(), StandardCharsets.US_ASCII)).isEqualTo("MPA ID Req Frame");
        }
        assertThat(left()).isEmpty();
    }

    // ---- what strangers tell and leave ----------------------------------------------------------------------------

    /** Somebody says of a listener what is not so: that costs one reconnect. */
    @Test
    void aFalseLockCostsOneReconnect() throws Exception {
        Peer client = peer();
        Peer server = plain("shm=off");
        try (Listener listener = listen(server);
                SharedDirectory stranger = SharedDirectory.open(directory)) {
            stranger.tell("panama-verbs/1/" + listener.localAddress().getPort() + "/" + here.getHostAddress());
            connect(client, server, listener);
        }
        assertThat(client.connection().transport()).doesNotContain("rings");
        client.queuePair().write(1, client.buffer, 0, 64, Peer.remote(server), 0, SIGNALED);
        client.nextOk();
        assertThat(left()).isEmpty();
    }

    @Test
    void thousandsOfFilesAndLocksOfStrangersHoldNobodyUp() throws Exception {
        for (int i = 0; i < 5000; i++) {
            Files.createFile(directory.resolve("shm-%032x".formatted(i)));
        }
        try (SharedDirectory stranger = SharedDirectory.open(directory)) {
            for (int i = 0; i < 3000; i++) {
                stranger.tell("lock " + i);
            }
            Peer client = peer("shm=require");
            Peer server = peer("shm=require");
            connect(client, server);
            sharesMemory(client);
        }
        assertThat(left()).hasSize(5000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDirectoryThatIsRemovedHarmsNoConnection(boolean madeAnew) throws Exception {
        Path gone = Files.createDirectory(directory.resolve("gone"));
        Peer client = peerIn(gone);
        Peer server = peerIn(gone);
        Peer late = peerIn(gone);
        try (Listener listener = listen(server)) {
            connect(client, server, listener);
            sharesMemory(client);
            Files.delete(gone);
            if (madeAnew) {
                Files.createDirectory(gone);
            }
            client.queuePair().write(1, client.buffer, 0, 64, Peer.remote(server), 0, SIGNALED);
            client.nextOk();

            var first = server.connection();
            connect(late, server, listener);
            first.close();
        }
        staysOnTcp(late, madeAnew ? "announces itself in shm.dir " + gone : "ENOENT");
    }

    // ---- peers of another user, which only root can make ----------------------------------------------------------

    private Process asAnother(String program, String... arguments) throws IOException {
        Files.setAttribute(directory, "unix:mode", 01777);
        return Perl.startAsAnother("$| = 1; umask 0; " + program, arguments);
    }

    // Listens at the name, makes the Offer from the given address, and says number 17 of the Answer.
    private static final String OFFER = "($path, $from, $to, $port, $offer) = @ARGV;"
            + " socket(U, AF_UNIX, SOCK_STREAM, 0); bind(U, pack_sockaddr_un($path)) && listen(U, 4) or die qq(at"
            + " $path: $!);"
            + " socket(T, AF_INET, SOCK_STREAM, 0); bind(T, pack_sockaddr_in(0, inet_aton($from)));"
            + " connect(T, pack_sockaddr_in($port, inet_aton($to))) or die $!;"
            + " syswrite(T, pack(q(H*), $offer)); $a = ''; while (length($a) < 20) { sysread(T, $a, 20, length($a))"
            + " or die }"
            + " print unpack(q(x17C), $a), qq(\\n); vec($r, fileno(U), 1) = 1;"
            + " print select($r, undef, undef, 0) ? sysread((accept(C, U), *C)[1], $o, 16) + 0 : q(nobody), qq(\\n);"
            + " unlink $path";

    /** Whoever it is, the kernel says it: nothing is shown to such a one, and nothing is received. */
    @Test
    void anInitiatorOfAnotherUserIsDeclined() throws Exception {
        Perl.assumeItRunsAsAnother();
        Peer server = peer();
        ShmOffer offer = new ShmOffer(ShmOffer.VERSION, ShmOffer.DIRECTORY, OfferingPeer.NAME, OfferingPeer.TOKEN);
        try (Listener listener = listen(server)) {
            Process other = asAnother(
                    OFFER,
                    name().toString(),
                    InetAddress.getLoopbackAddress().getHostAddress(),
                    here.getHostAddress(),
                    "" + listener.localAddress().getPort(),
                    HexFormat.of().formatHex(offer.encode().array()));
            try (BufferedReader said = other.inputReader()) {
                assertThat(said.readLine()).isEqualTo("3");
                assertThat(said.readLine()).as("bytes of the token").isEqualTo("0");
            } finally {
                other.destroyForcibly();
            }
        }
    }

    /** The file of the socket lets nobody else in, before the kernel is asked who it is. */
    @Test
    void aListenerOfAnotherUserDoesNotReachTheSocket() throws Exception {
        Perl.assumeItRunsAsAnother();
        String come =
                "socket(U, AF_UNIX, SOCK_STREAM, 0); print connect(U, pack_sockaddr_un($ARGV[0])) ? 0 : $!+0, qq(\\n);"
                        + " print unlink($ARGV[0]) ? 0 : $!+0, qq(\\n)";
        Peer client = peer();
        try (FalseListener other = new FalseListener(here, directory)) {
            Background<List<String>> said = Background.start(() -> {
                List<String> errors;
                try (Socket socket = other.tcp.accept()) {
                    Path file = directory.resolve(
                            "shm-" + FalseListener.offer(socket).name());
                    Process stranger = asAnother(come, file.toString());
                    try (BufferedReader output = stranger.inputReader()) {
                        errors = List.of(output.readLine(), output.readLine());
                    } finally {
                        stranger.destroyForcibly();
                    }
                }
                // The initiator comes again, without an Offer.
                other.tcp.accept().close();
                return errors;
            });
            assertThatThrownBy(() -> client.verbs.connect(other.address(), client.config(), FROM_LOOPBACK, Peer.soon()))
                    .isInstanceOf(ConnectionException.class);
            assertThat(said.get()).as("EACCES, and EPERM of a sticky directory").containsExactly("13", "1");
        }
    }

    /** Where others may write who can remove what they have not made, nothing is believed. */
    @Test
    void aDirectoryThatAnybodyCanTidyIsNotUsed() throws Exception {
        Files.setAttribute(directory, "unix:mode", 0777);
        Peer client = peer();
        Peer server = peer();
        connect(client, server);
        staysOnTcp(client, "others may write to " + directory, "chmod +t " + directory);
    }
}
