package org.panamaverbs.iwarp.net.unix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of Unix sockets, and hints, which are nothing else. */
class UnixNameTest extends UnixFixture {
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
}
