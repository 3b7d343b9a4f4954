package org.panamaverbs.iwarp.net.unix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who has the other end of a Unix connection. */
class PeerUserTest extends UnixFixture {
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

    /** Files below {@code /proc/sys} give their number to one read alone. */
    @Test
    void knowsTheNumberOfThoseWhoHaveNone() throws IOException {
        byte[] number = new byte[20];
        try (InputStream file = Files.newInputStream(Path.of("/proc/sys/kernel/overflowuid"))) {
            int octets = file.read(number);
            assertThat(octets).isPositive();
            String text = new String(number, 0, octets, StandardCharsets.US_ASCII);
            assertThat(PeerUser.overflowUser()).isEqualTo(Integer.parseInt(text.strip()));
        }
    }

    /** A process of another user, which only root can make. */
    @Test
    void knowsAnotherUser() throws Exception {
        Perl.assumeItRunsAsAnother();
        UnixServer server = UnixServer.listen(UnixPair.name(), 1);
        String connect = "socket(S, AF_UNIX, SOCK_STREAM, 0) and connect(S, pack_sockaddr_un(qq(\\0$ARGV[0])))"
                + " and sysread(S, $_, 1)";
        String path = server.name().toString().substring(1);
        Process other = Perl.startAsAnother(connect, path);
        try {
            UnixSocket accepted = accept(server, other);
            assertThat(accepted.peerUser()).isEqualTo(new PeerUser((int) other.pid(), OtherUser.NUMBER));
            assertThat(accepted.peerUser().isSameUser()).isFalse();
            accepted.close();
        } finally {
            end(other);
            server.close();
        }
    }

    private static UnixSocket accept(UnixServer server, Process other) throws IOException {
        UnixSocket accepted = server.accept();
        while (accepted == null) {
            assertThat(other.isAlive()).isTrue();
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
}
