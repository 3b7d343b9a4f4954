package org.panamaverbs.iwarp.engine.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.SharedMemoryOptions;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.UnixName;
import org.panamaverbs.iwarp.net.unix.UnixServer;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.shm.RingLayout;
import org.panamaverbs.iwarp.wire.Octets;

/** How many rings are kept, for how long, and which of them nobody gets. */
@Timeout(60)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class KeptRingsLimitsTest {
    private static final Octets ID = Octets.of("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    private static final Octets TOKEN = Octets.of("fedcba9876543210".getBytes(StandardCharsets.US_ASCII));
    private static final SharedMemoryOptions WISH = new SharedMemoryOptions(
            SharedMemoryOptions.Mode.AUTO,
            RingLayout.MIN_RING_BYTES,
            1,
            false,
            null,
            SharedMemoryOptions.Direct.ON,
            true);

    private final EventLoop loop = EventLoop.start(SystemSockets.best());
    private final KeptRings kept = new KeptRings(loop);
    private final List<Side> sides = new ArrayList<>();

    @AfterEach
    void close() {
        kept.close();
        loop.close();
        for (Side each : sides) {
            each.close();
        }
    }

    /** A responder's rings, and both ends of their Unix connection. */
    private static final class Side implements AutoCloseable {
        private final SealedFile own;
        private final SharedRings memory;
        private final UnixSocket line;
        private final UnixSocket far;

        Side() throws IOException {
            UnixName name = UnixName.ofAbstract(
                    "panama-verbs/test/kept/" + ProcessHandle.current().pid());
            UnixServer server = UnixServer.listen(name, 1);
            far = UnixSocket.connect(name);
            line = Objects.requireNonNull(server.accept());
            server.close();
            // More than a pipe has room for, see FileInUse.
            own = SharedRings.make(RingLayout.DEFAULT_RING_BYTES);
            memory = new SharedRings(own, SharedRings.make(RingLayout.MIN_RING_BYTES));
        }

        void show(Octets token) throws IOException {
            far.send(ByteBuffer.wrap(token.toByteArray()));
        }

        @Override
        public void close() {
            far.close();
            line.close();
            memory.close();
        }
    }

    private Side side() throws IOException {
        Side side = new Side();
        sides.add(side);
        return side;
    }

    private boolean keep(Side side, long sinceProofNanos) {
        long proved = System.nanoTime() - sinceProofNanos;
        return kept.keep(new KeptRings.Owner(ID, null, WISH, proved), side.memory, side.line);
    }

    @Test
    void whoProvedWhoItIsLongAgoHasToDoItAnew() throws Exception {
        assertThat(keep(side(), KeptRings.PROOF_NANOS)).isFalse();
        assertThat(keep(side(), KeptRings.PROOF_NANOS - TimeUnit.SECONDS.toNanos(5)))
                .isTrue();
    }

    @Test
    void noMoreAreKeptThanTheMost() throws Exception {
        for (int i = 0; i < KeptRings.MOST; i++) {
            assertThat(keep(side(), 0)).isTrue();
        }
        Side another = side();
        assertThat(keep(another, 0)).isFalse();
        assertThat(another.line.isOpen()).as("still the caller's").isTrue();
    }

    @Test
    void whoHasLeftGetsNothing() throws Exception {
        Side side = side();
        assertThat(keep(side, 0)).isTrue();
        side.show(TOKEN);
        side.far.close();
        assertThat(kept.take(ID, TOKEN)).isNull();
        assertThat(side.own.memory().scope().isAlive()).isFalse();
    }

    @Test
    void whatCouldNotBeClosedNobodyGets() throws Exception {
        Side side = side();
        assertThat(keep(side, 0)).isTrue();
        side.show(ID);
        try (FileInUse using = new FileInUse(side.own)) {
            assertThat(using).isNotNull();
            assertThatThrownBy(() -> kept.take(ID, TOKEN)).isInstanceOf(IllegalStateException.class);
            assertThat(side.own.memory().scope().isAlive()).isTrue();
            assertThat(kept.take(ID, TOKEN)).isNull();
        }
        kept.close();
        assertThat(side.own.memory().scope().isAlive()).isFalse();
    }
}
