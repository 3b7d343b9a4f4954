package org.panamaverbs.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.iwarp.wire.Allocation;

/** Bytes of a TCP connection that wake its other end up. */
@Timeout(60)
class BellTest {
    private TcpSocket left;
    private TcpSocket right;
    private Bell bell;
    private Bell heard;

    @BeforeAll
    static void needsSystemCalls() {
        assumeTrue(
                SystemSockets.obstacle().isEmpty(),
                () -> SystemSockets.obstacle().orElse(""));
    }

    @BeforeEach
    void connect() throws IOException {
        Sockets sockets = SystemSockets.libc();
        TcpServer server = sockets.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1, true);
        try {
            left = sockets.open(server.localAddress().getAddress().getAddress().length == 16);
            left.connect(server.localAddress());
            TcpSocket accepted = server.accept();
            while (accepted == null) {
                accepted = server.accept();
            }
            right = accepted;
        } finally {
            server.close();
        }
        bell = Bell.of(left);
        heard = Bell.of(right);
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    @Test
    void wakesWhoWaits() throws IOException {
        Poller poller = SystemSockets.libc().poller();
        try {
            List<Watch> ready = new ArrayList<>();
            Watch watch = poller.register(right, Watch.READ, "bell");
            poller.select(ready::add, 0);
            assertThat(ready).isEmpty();
            assertThat(bell.ring()).isTrue();
            poller.select(ready::add, Poller.FOREVER);
            assertThat(ready).containsExactly(watch);
            assertThat(heard.drain()).isTrue();
            assertThat(heard.drain()).isTrue();
            ready.clear();
            poller.select(ready::add, 0);
            assertThat(ready).isEmpty();
            left.close();
            poller.select(ready::add, Poller.FOREVER);
            assertThat(ready).containsExactly(watch);
            assertThat(heard.drain()).isFalse();
        } finally {
            poller.close();
        }
    }

    @Test
    void saysWhenThereIsNoRoomAndRingsLater() throws IOException {
        ByteBuffer much = ByteBuffer.allocateDirect(1 << 20);
        while (left.write(much.clear()) > 0) {
            assertThat(much.capacity()).isPositive();
        }
        assertThat(bell.ring()).isFalse();
        assertThat(heard.isPeerGone()).isFalse();
        while (!bell.ring()) {
            assertThat(heard.drain()).isTrue();
        }
    }

    @Test
    void tellsOfTheEndBehindWhatWasRung() throws IOException {
        for (int i = 0; i < 3000; i++) {
            assertThat(bell.ring()).isTrue();
        }
        assertThat(heard.isPeerGone()).isFalse();
        left.close();
        while (!heard.isPeerGone()) {
            Thread.onSpinWait();
        }
        assertThat(heard.drain()).as("bytes before the end").isTrue();
        int rounds = 0;
        while (heard.drain() && rounds < 100) {
            rounds++;
        }
        assertThat(heard.drain()).isFalse();
    }

    @Test
    void tellsOfAReset() throws IOException {
        bell.ring();
        left.close(true);
        while (!heard.isPeerGone()) {
            Thread.onSpinWait();
        }
        // What was rung before may have gone with it.
        boolean first = heard.drain();
        assertThat(first && heard.drain()).isFalse();
        assertThatThrownBy(heard::ring).isInstanceOf(IOException.class);
        right.close();
        assertThat(heard.isPeerGone()).as("closed here").isTrue();
    }

    @Test
    void isASocketBySystemCalls() throws IOException {
        TcpSocket nio = SystemSockets.nio().open(false);
        try {
            assertThatIllegalArgumentException().isThrownBy(() -> Bell.of(nio));
        } finally {
            nio.close();
        }
    }

    @Test
    void allocatesNothing() {
        assertThat(Allocation.bytesPerThousand(() -> {
                    try {
                        if (!bell.ring() || !heard.drain() || heard.isPeerGone()) {
                            throw new AssertionError();
                        }
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                }))
                .isZero();
    }

    /** Who polls looks once a millisecond: too seldom to be compiled soon. */
    @Test
    void aLookAllocatesNothingBeforeItIsCompiled() {
        look(20); // links the call
        long before = Allocation.allocatedBytes();
        look(100);

        assertThat(Allocation.allocatedBytes() - before).isLessThan(100 * 16);
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            if (heard.isPeerGone()) {
                throw new AssertionError("the peer is there");
            }
        }
    }
}
