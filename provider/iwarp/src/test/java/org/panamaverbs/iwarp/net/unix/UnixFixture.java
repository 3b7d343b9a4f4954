package org.panamaverbs.iwarp.net.unix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** What tests of Unix sockets and memory files share: none runs without system calls, and each leaves nothing open. */
@Timeout(60)
abstract class UnixFixture {
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

    static ByteBuffer octets(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns what a socket has received, up to 100 bytes of it. */
    static String received(UnixSocket from) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(100);
        int octets = from.receive(into);
        assertThat(octets).isEqualTo(into.position());
        return StandardCharsets.US_ASCII.decode(into.flip()).toString();
    }
}
