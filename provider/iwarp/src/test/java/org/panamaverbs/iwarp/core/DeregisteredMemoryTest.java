package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.memory.Access;
import org.panamaverbs.spi.support.WindowBinding;

/** Streams that have used memory do not keep it once it is deregistered. */
@Timeout(60)
class DeregisteredMemoryTest {
    private static final int LENGTH = 8192;

    private final Pair pair = new Pair().start();

    private static Region register(Side side, MemorySegment memory) {
        return Objects.requireNonNull(side.stags.enable(memory, 0, Guarded.ALL, Side.DOMAIN));
    }

    private static void deregister(Side side, Region region) {
        assertThat(region.revoke()).isTrue();
        assertThat(region.quiescent()).isTrue();
        side.stags.remove(region);
    }

    private void move(SendOpcode operation, Region local, Region remote) {
        PostStatus.check(pair.a
                .stream
                .sends()
                .post(operation, 1, 0, LENGTH, local.stag(), 0, remote.stag(), 0, SendFlag.SIGNALED));
        pair.settle();
        assertThat(pair.a.cause()).isEqualTo("none");
    }

    private static void awaitCollection(WeakReference<?> memory) {
        while (!memory.refersTo(null)) {
            System.gc();
            Thread.yield();
        }
    }

    private WeakReference<?> useAndDeregister(Side user, boolean asSource) {
        MemorySegment memory = Arena.ofAuto().allocate(LENGTH);
        Guarded other = (user == pair.a ? pair.b : pair.a).memory(LENGTH, 0, Guarded.ALL);
        Region region = register(user, memory);
        Region local = user == pair.a ? region : other.region;
        Region remote = user == pair.a ? other.region : region;
        move(asSource == (user == pair.a) ? SendOpcode.RDMA_WRITE : SendOpcode.RDMA_READ, local, remote);
        deregister(user, region);
        return new WeakReference<>(memory.scope());
    }

    @Test
    void whatWasSentFrom() {
        awaitCollection(useAndDeregister(pair.a, true));
        assertThat(pair.a.stream.state()).isEqualTo(StreamState.ESTABLISHED);
    }

    @Test
    void whatWasReadInto() {
        awaitCollection(useAndDeregister(pair.a, false));
        assertThat(pair.a.stream.state()).isEqualTo(StreamState.ESTABLISHED);
    }

    @Test
    void whatAPeerHasWritten() {
        awaitCollection(useAndDeregister(pair.b, false));
        assertThat(pair.b.stream.state()).isEqualTo(StreamState.ESTABLISHED);
    }

    @Test
    void whatAPeerHasRead() {
        awaitCollection(useAndDeregister(pair.b, true));
        assertThat(pair.b.stream.state()).isEqualTo(StreamState.ESTABLISHED);
    }

    @Test
    void whatAWindowWasBoundTo() {
        Region window = Objects.requireNonNull(pair.b.stags.reserve(Side.DOMAIN));
        awaitCollection(bindAndDeregister(window));
        assertThat(window.isWindow()).isTrue();
    }

    private WeakReference<?> bindAndDeregister(Region window) {
        MemorySegment memory = Arena.ofAuto().allocate(LENGTH);
        Region region = register(pair.b, memory);
        int stag = window.nextStag(7);
        PostStatus.check(pair.b
                .stream
                .sends()
                .postBind(
                        1,
                        window,
                        false,
                        region.stag(),
                        new WindowBinding(stag, 0, LENGTH, Access.REMOTE_WRITE.bit()),
                        SendFlag.SIGNALED));
        pair.settle();
        move(SendOpcode.RDMA_WRITE, pair.a.memory(LENGTH, 0, Guarded.ALL).region, window);
        deregister(pair.b, region);
        return new WeakReference<>(memory.scope());
    }
}
