package org.panamaverbs.iwarp.engine.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.shm.RingLayout;

/** Rings of which not everything could be closed at once. */
@Timeout(60)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class RingTransportCloseTest {
    @Test
    void whatCouldNotBeUnmappedIsUnmappedByTheNextClose() throws Exception {
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            TcpSocket near = SystemSockets.libc().open(false);
            near.connect((InetSocketAddress) server.getLocalAddress());
            try (SocketChannel far = server.accept()) {
                assertThat(near.finishConnect()).isTrue();
                SealedFile own = SharedRings.make(RingLayout.DEFAULT_RING_BYTES);
                SealedFile peer = SharedRings.make(RingLayout.DEFAULT_RING_BYTES);
                RingQuota quota = new RingQuota(1);
                assertThat(quota.take()).isTrue();
                RingTransport ring = new RingTransport(near, "", new SharedRings(own, peer), quota, null, "");

                try (FileInUse using = new FileInUse(own)) {
                    assertThat(using).isNotNull();
                    assertThatThrownBy(() -> ring.close(false)).isInstanceOf(IllegalStateException.class);
                    assertThat(own.memory().scope().isAlive()).isTrue();
                    assertThat(peer.memory().scope().isAlive()).isFalse();
                    assertThat(near.isOpen()).isFalse();
                    assertThat(far.read(ByteBuffer.allocate(1))).isNegative();
                    assertThat(quota.take())
                            .as("a place while its memory is mapped")
                            .isFalse();
                }

                ring.close(false);
                assertThat(own.memory().scope().isAlive()).isFalse();
                // Whoever is not sure closes it once more.
                ring.close(false);
                assertThat(quota.take()).isTrue();
                assertThat(quota.take()).as("given back once").isFalse();
            }
        }
    }

    @Test
    void whatBothFilesFailedByIsTold() throws Exception {
        SealedFile own = SharedRings.make(RingLayout.DEFAULT_RING_BYTES);
        SealedFile peer = SharedRings.make(RingLayout.DEFAULT_RING_BYTES);
        SharedRings rings = new SharedRings(own, peer);
        try (FileInUse first = new FileInUse(own);
                FileInUse second = new FileInUse(peer)) {
            assertThat(first).isNotSameAs(second);
            assertThatThrownBy(rings::close)
                    .isInstanceOf(IllegalStateException.class)
                    .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        }
        rings.close();
    }
}
