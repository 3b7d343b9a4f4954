package org.panamaverbs.testkit.conformance.operation;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.PlacementType;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.random.Patterns;

/** Atomic writes and flushes, of queue pairs that were made for them. */
public abstract class ExtendedSendsConformance extends Conformance {
    private static final long VALUE = 0x8102_0304_F506_0708L;
    private static final long DATA = 64;
    private static final int TIMES = 100;
    private static final long HALVES = 0x1_0000_0001L;

    /** For subclasses. */
    protected ExtendedSendsConformance() {}

    private ConnectedPair madeFor(Feature... sendOps) {
        return pair(PairConfig.defaults().withQueuePairA(config -> config.withSendOps(sendOps)), sendOps);
    }

    /** Registers memory of {@code side} that peers may write and flush. */
    private RegisteredBuffer flushable(Endpoint side) {
        return resources()
                .add(side.domain().allocate(8192, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.FLUSH_GLOBAL));
    }

    @Test
    @Needs(Feature.ATOMIC_WRITE)
    void atomicWriteTellsOfTheWritesBeforeIt() {
        ConnectedPair pair = madeFor(Feature.ATOMIC_WRITE);
        byte[] data = Patterns.bytes(1, 4096);
        pair.a().put(0, data);
        accepted(pair.qpA().write(1, pair.a().buffer(), 0, data.length, pair.b().remote(), DATA, NONE));
        accepted(pair.qpA().atomicWrite(2, VALUE, pair.b().remote(), 8, SIGNALED));
        assertThat(pair.a().inbox().takeOk(2).opcode()).isEqualTo(WcOpcode.ATOMIC_WRITE);
        assertThat(pair.b().getLong(8)).isEqualTo(VALUE);
        assertThat(pair.b().get(DATA, data.length)).isEqualTo(data);
        assertThat(pair.b().getLong(0)).isZero();
        assertThat(pair.b().getLong(16)).isZero();
    }

    @Test
    @Needs(Feature.ATOMIC_WRITE)
    void nobodySeesAPartOfAnAtomicWrite() {
        ConnectedPair pair = madeFor(Feature.ATOMIC_WRITE);
        RegisteredBuffer cell = pair.b().buffer();
        Background<Long> reader = Background.start("reader", () -> {
            long seen = 0;
            while (seen < TIMES * HALVES) {
                long now = cell.atomicTarget(0).getAcquire();
                assertThat(now % HALVES).as("%x", now).isZero();
                assertThat(now).isGreaterThanOrEqualTo(seen);
                seen = now;
                Thread.onSpinWait();
            }
            return seen;
        });
        for (long i = 1; i <= TIMES; i++) {
            accepted(pair.qpA().atomicWrite(i, i * HALVES, pair.b().remote(), 0, SIGNALED));
            pair.a().inbox().takeOk(i);
        }
        assertThat(reader.await(Waits.deadline())).isEqualTo(TIMES * HALVES);
    }

    @Test
    @Needs(Feature.FLUSH)
    void flushIsBehindWhatItFlushes() {
        ConnectedPair pair = madeFor(Feature.FLUSH);
        RegisteredBuffer target = flushable(pair.b());
        byte[] data = Patterns.bytes(2, 4096);
        pair.a().put(0, data);
        accepted(pair.qpA().write(1, pair.a().buffer(), 0, data.length, target.remote(), DATA, NONE));
        accepted(pair.qpA().flush(2, target.remote(), DATA, data.length, PlacementType.GLOBAL, SIGNALED));
        assertThat(pair.a().inbox().takeOk(2).opcode()).isEqualTo(WcOpcode.FLUSH);
        assertThat(target.segment().asSlice(DATA, data.length).toArray(JAVA_BYTE))
                .isEqualTo(data);
        accepted(pair.qpA().flushRegion(3, target.remote(0, 8), PlacementType.GLOBAL, SIGNALED));
        assertThat(pair.a().inbox().takeOk(3).opcode()).isEqualTo(WcOpcode.FLUSH);
        accepted(pair.qpA().flush(4, target.remote(), 8192, 0, PlacementType.GLOBAL, SIGNALED));
        pair.a().inbox().takeOk(4);
    }

    /** How data is published: written, flushed, and then a word that says that it is there. */
    @Test
    @Needs({Feature.ATOMIC_WRITE, Feature.FLUSH})
    void dataIsWrittenFlushedAndTold() {
        ConnectedPair pair = madeFor(Feature.ATOMIC_WRITE, Feature.FLUSH);
        RegisteredBuffer target = flushable(pair.b());
        pair.a().put(0, Patterns.bytes(3, 1024));
        for (long i = 1; i <= 20; i++) {
            accepted(pair.qpA().write(3 * i, pair.a().buffer(), i, 1000, target.remote(), DATA, SIGNALED));
            accepted(pair.qpA().flush(3 * i + 1, target.remote(), DATA, 1000, PlacementType.GLOBAL, SIGNALED));
            accepted(pair.qpA().atomicWrite(3 * i + 2, i, target.remote(), 0, SIGNALED));
            pair.a().inbox().takeOk(3 * i);
            pair.a().inbox().takeOk(3 * i + 1);
            pair.a().inbox().takeOk(3 * i + 2);
            assertThat(target.atomicTarget(0).getAcquire()).isEqualTo(i);
            assertThat(target.segment()
                            .asSlice(DATA, 1000)
                            .mismatch(pair.a().buffer().segment().asSlice(i, 1000)))
                    .isEqualTo(-1);
        }
    }

    @Test
    @Needs({Feature.ATOMIC_WRITE, Feature.FLUSH})
    @ApiCase
    void refusesAtTheRequesterWhatCannotBe() {
        ConnectedPair pair = madeFor(Feature.ATOMIC_WRITE, Feature.FLUSH);
        RemoteBuffer remote = pair.b().remote();
        RemoteBuffer readable = pair.b().buffer().remote(0, 64, Access.REMOTE_READ);
        assertThatThrownBy(() -> pair.qpA().atomicWrite(1, VALUE, remote, 4, SIGNALED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("multiple of 8");
        assertThatThrownBy(() -> pair.qpA().atomicWrite(1, VALUE, remote, remote.length(), SIGNALED))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> pair.qpA().atomicWrite(1, VALUE, readable, 0, SIGNALED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("REMOTE_WRITE");
        assertThatThrownBy(() -> pair.qpA().flush(1, readable, 0, 8, PlacementType.GLOBAL, SIGNALED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("FLUSH_GLOBAL");
        assertThatThrownBy(() -> pair.qpA().flushRegion(1, readable, PlacementType.PERSISTENT, SIGNALED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("FLUSH_PERSISTENT");
        pair.a().inbox().expectNothing();
        pair.barrier();
    }

    @Test
    @Needs(Feature.FLUSH)
    void peerRefusesAFlushWithoutTheRight() {
        ConnectedPair pair = madeFor(Feature.FLUSH);
        RegisteredBuffer target = pair.b().buffer();
        accepted(pair.qpA().postFlush(1, target.iova(), 64, target.rkey(), PlacementType.GLOBAL, SIGNALED));
        assertThat(pair.a().inbox().take().ok()).isFalse();
        pair.awaitDown();
    }

    @Test
    @Needs(Feature.ATOMIC_WRITE)
    void peerRefusesAnAtomicWriteWithoutTheRight() {
        ConnectedPair pair = madeFor(Feature.ATOMIC_WRITE);
        RegisteredBuffer target =
                resources().add(pair.b().domain().allocate(64, Access.LOCAL_WRITE, Access.REMOTE_READ));
        accepted(pair.qpA().postAtomicWrite(1, VALUE, target.iova(), target.rkey(), SIGNALED));
        assertThat(pair.a().inbox().take().ok()).isFalse();
        pair.awaitDown();
        assertThat(target.atomicTarget(0).getAcquire()).isZero();
    }

    @Test
    @ApiCase
    void queuePairThatWasNotMadeForThemSaysSo() {
        ConnectedPair pair = pair();
        for (Feature feature : new Feature[] {Feature.ATOMIC_WRITE, Feature.FLUSH}) {
            boolean has = pair.a().capabilities().has(feature);
            assertThatThrownBy(() -> post(pair, feature))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(has ? "withSendOps(" + feature + ")" : feature.name());
        }
        pair.a().inbox().expectNothing();
        pair.barrier();
    }

    private static int post(ConnectedPair pair, Feature feature) {
        RegisteredBuffer target = pair.b().buffer();
        return feature == Feature.FLUSH
                ? pair.qpA().postFlush(1, target.iova(), 8, target.rkey(), PlacementType.GLOBAL, SIGNALED)
                : pair.qpA().postAtomicWrite(1, VALUE, target.iova(), target.rkey(), SIGNALED);
    }

    @Test
    @ApiCase
    @Needs(types = QueuePairType.RC)
    void deviceWithoutMakesNoneForThem() {
        Endpoint side = sideA();
        boolean has = side.capabilities().has(Feature.ATOMIC_WRITE)
                || side.capabilities().has(Feature.FLUSH);
        requires(!has, side.verbs(), "has atomic writes or flushes");
        for (Feature feature : new Feature[] {Feature.ATOMIC_WRITE, Feature.FLUSH}) {
            assertThatThrownBy(() -> side.newQueuePair(config -> config.withSendOps(feature)))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(feature.name());
        }
        assertThatThrownBy(() -> side.domain().allocate(4096, Access.FLUSH_GLOBAL))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("FLUSH");
    }

    @Test
    @Needs(Feature.FLUSH_PERSISTENT)
    @ApiCase
    void persistenceNeedsPersistentMemory() {
        Endpoint side = sideA();
        assertThatThrownBy(() -> side.domain().allocate(4096, Access.LOCAL_WRITE, Access.FLUSH_PERSISTENT))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("FLUSH_PERSISTENT");
    }
}
