package org.panamaverbs.testkit.conformance.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Requirement;

/** Memory windows: access to a part of a buffer, given and taken on the data path. */
public abstract class MemoryWindowsConformance extends Conformance {
    private static final Access[] READ_WRITE = {Access.REMOTE_READ, Access.REMOTE_WRITE};
    private static final int ROUNDS = 3;

    /** For subclasses. */
    protected MemoryWindowsConformance() {}

    @ParameterizedTest
    @EnumSource(MemoryWindow.Type.class)
    @Requirement({"RDMAP-8.1.1-4-01", "DDP-8.3-1-01", "DDP-8.3-2-01"})
    void boundWindowGivesAccessToItsPart(MemoryWindow.Type type) {
        Bound bound = new Bound(type, 100, 50, READ_WRITE);
        RemoteBuffer remote = bound.window.remote();
        assertThat(remote.length()).isEqualTo(50);
        assertThat(remote.rkey()).isEqualTo(bound.window.rkey());
        bound.pair.a().put(0, new byte[] {1, 2, 3});
        accepted(bound.pair.qpA().write(1, bound.pair.a().buffer(), 0, 3, remote, 47, SIGNALED));
        accepted(bound.pair.qpA().read(2, bound.pair.a().buffer(), 500, 3, remote, 47, SIGNALED));
        bound.pair.a().inbox().takeAllOk(1, 2);
        assertThat(bound.pair.b().get(147, 3)).containsExactly(1, 2, 3);
        assertThat(bound.pair.a().get(500, 3)).containsExactly(1, 2, 3);
    }

    @ParameterizedTest
    @EnumSource(MemoryWindow.Type.class)
    @Requirement({"RDMAP-8.1.1-3-01", "DDP-7.1-T4-01", "DDP-8.3-1-01"})
    void windowEndsWhereItWasBoundAlthoughTheBufferGoesOn(MemoryWindow.Type type) {
        Bound bound = new Bound(type, 100, 50, READ_WRITE);
        guaranteed(bound.pair, Guarantee.WINDOW_BOUNDS);
        OneSided.WRITE.post(bound.pair, 1, bound.stag(), bound.offset(50 - OneSided.BYTES + 1));
        Refusals.expectRefused(bound.pair, OneSided.WRITE, "1/1/01", "0/1/01");
        assertThat(bound.pair.b().get(0, 1000)).containsOnly(0);
    }

    @ParameterizedTest
    @EnumSource(MemoryWindow.Type.class)
    @Requirement({"RDMAP-8.1.1-3-01", "DDP-7.1-T3-01"})
    void windowBeginsWhereItWasBound(MemoryWindow.Type type) {
        Bound bound = new Bound(type, 100, 50, READ_WRITE);
        guaranteed(bound.pair, Guarantee.WINDOW_BOUNDS);
        OneSided.READ.post(bound.pair, 1, bound.stag(), bound.offset(-1));
        Refusals.expectRefused(bound.pair, OneSided.READ, "0/1/01");
    }

    @ParameterizedTest
    @EnumSource(MemoryWindow.Type.class)
    @Requirement({"RDMAP-8.1.1-5-01", "RDMAP-7.2-11"})
    void windowGrantsOnlyTheRightsItWasBoundWith(MemoryWindow.Type type) {
        Bound bound = new Bound(type, 100, 50, Access.REMOTE_WRITE);
        OneSided.READ.post(bound.pair, 1, bound.stag(), bound.offset(0));
        Refusals.expectRefused(bound.pair, OneSided.READ, "0/1/02");
    }

    @ParameterizedTest
    @EnumSource(MemoryWindow.Type.class)
    @Requirement({"RDMAP-8.1.1-6-01", "DDP-8.3-2-01"})
    void closedWindowGivesNoAccess(MemoryWindow.Type type) {
        Bound bound = new Bound(type, 100, 50, READ_WRITE);
        int stag = bound.stag();
        long offset = bound.offset(0);
        bound.window.close();
        OneSided.WRITE.post(bound.pair, 1, stag, offset);
        Refusals.expectRefused(bound.pair, OneSided.WRITE, "1/1/00");
        assertThat(bound.pair.b().get(0, 1000)).containsOnly(0);
    }

    @Test
    @Needs(Feature.MEMORY_WINDOW_TYPE_1)
    @Requirement("RDMAP-8.1.1-6-01")
    void windowBoundToNothingGivesNoAccess() {
        Bound bound = new Bound(MemoryWindow.Type.TYPE_1, 100, 50, READ_WRITE);
        int stag = bound.stag();
        long offset = bound.offset(0);
        accepted(bound.pair.qpB().bind(9, bound.window, bound.pair.b().buffer(), 100, 0, SIGNALED));
        bound.pair.b().inbox().takeOk(9);
        OneSided.WRITE.post(bound.pair, 1, stag, offset);
        Refusals.expectRefused(bound.pair, OneSided.WRITE, "1/1/00", "1/1/01");
        assertThat(bound.pair.b().get(0, 1000)).containsOnly(0);
    }

    @Test
    @Needs(Feature.MEMORY_WINDOW_TYPE_1)
    @Requirement("RDMAP-8.1.1-6-01")
    void boundAgainWindowHasAnotherStagAndTheOldOneIsDead() {
        Bound bound = new Bound(MemoryWindow.Type.TYPE_1, 100, 50, READ_WRITE);
        int old = bound.stag();
        long offset = bound.offset(0);
        accepted(bound.pair.qpB().bind(9, bound.window, bound.pair.b().buffer(), 200, 50, SIGNALED, READ_WRITE));
        bound.pair.b().inbox().takeOk(9);
        assertThat(bound.stag()).isNotEqualTo(old);
        OneSided.WRITE.post(bound.pair, 1, bound.stag(), bound.offset(0));
        bound.pair.a().inbox().takeOk(1);

        OneSided.WRITE.post(bound.pair, 2, old, offset);
        Refusals.expectRefused(bound.pair, OneSided.WRITE, "1/1/00");
        assertThat(bound.pair.b().get(100, 50)).containsOnly(0);
    }

    @Test
    @Needs(Feature.MEMORY_WINDOW_TYPE_2)
    @Requirement({"RDMAP-8.1.1-2-01", "DDP-8.2-02", "DDP-8.2-04", "SEC-6.1.1-01", "SEC-6.1.1-03"})
    void windowOfType2IsRefusedOnAnotherConnection() {
        Bound bound = new Bound(MemoryWindow.Type.TYPE_2, 100, 50, READ_WRITE);
        Link other = bound.pair.connect(
                bound.pair.a().newQueuePair(config -> config), bound.pair.b().newQueuePair(config -> config));
        OneSided.WRITE.post(bound.pair, other, 1, bound.stag(), bound.offset(0));
        Refusals.expectRefused(bound.pair, other, OneSided.WRITE, "1/1/02", "1/1/00");
        assertThat(bound.pair.b().get(0, 1000)).containsOnly(0);

        OneSided.WRITE.post(bound.pair, 2, bound.stag(), bound.offset(0));
        bound.pair.a().inbox().takeOk(2);
        bound.pair.barrier();
        assertThat(bound.pair.b().get(100, OneSided.BYTES))
                .isEqualTo(bound.pair.a().get(0, OneSided.BYTES));
    }

    @Test
    @Needs(Feature.MEMORY_WINDOW_TYPE_1)
    @Requirement("DDP-8.2-04")
    void windowOfType1ServesEveryConnectionOfTheDomain() {
        Bound bound = new Bound(MemoryWindow.Type.TYPE_1, 100, 50, READ_WRITE);
        Link other = bound.pair.connect(
                bound.pair.a().newQueuePair(config -> config), bound.pair.b().newQueuePair(config -> config));
        OneSided.WRITE.post(bound.pair, other, 1, bound.stag(), bound.offset(0));
        bound.pair.a().inbox().takeOk(1);
        bound.pair.barrier(other);
        assertThat(bound.pair.b().get(100, OneSided.BYTES))
                .isEqualTo(bound.pair.a().get(0, OneSided.BYTES));
    }

    @Test
    @Needs({Feature.MEMORY_WINDOW_TYPE_2, Feature.LOCAL_INVALIDATE})
    @Requirement({"RDMAP-8.1.1-6-01", "SEC-6.2.2-01"})
    void locallyInvalidatedWindowGivesNoAccess() {
        Bound bound = new Bound(MemoryWindow.Type.TYPE_2, 100, 50, READ_WRITE);
        long offset = bound.offset(0);
        int stag = bound.stag();
        accepted(bound.pair.qpB().localInvalidate(9, bound.window.rkey(), SIGNALED));
        Completion invalidated = bound.pair.b().inbox().takeOk(9);
        assertThat(invalidated.opcode()).isEqualTo(WcOpcode.LOCAL_INVALIDATE);
        OneSided.WRITE.post(bound.pair, 1, stag, offset);
        Refusals.expectRefused(bound.pair, OneSided.WRITE, "1/1/00");
        assertThat(bound.pair.b().get(0, 1000)).containsOnly(0);
    }

    @Test
    @Needs({Feature.MEMORY_WINDOW_TYPE_2, Feature.SEND_WITH_INVALIDATE})
    @Requirement({"RDMAP-5.3-13", "RDMAP-5.3-14", "RDMAP-8.1.1-6-01"})
    void remotelyInvalidatedWindowGivesNoAccess() {
        Bound bound = new Bound(MemoryWindow.Type.TYPE_2, 100, 50, READ_WRITE);
        int stag = bound.stag();
        long offset = bound.offset(0);
        accepted(bound.pair.qpB().recv(8, bound.pair.b().buffer(), 2000, 0));
        accepted(bound.pair.qpA().sendWithInvalidate(9, bound.pair.a().buffer(), 0, 0, bound.window.rkey(), SIGNALED));
        assertThat(bound.pair.b().inbox().takeOk(8).invalidatedRkey()).isEqualTo(stag);
        bound.pair.a().inbox().takeOk(9);
        OneSided.WRITE.post(bound.pair, 1, stag, offset);
        Refusals.expectRefused(bound.pair, OneSided.WRITE, "1/1/00");
        assertThat(bound.pair.b().get(0, 1000)).containsOnly(0);
    }

    @Test
    @Needs({Feature.MEMORY_WINDOW_TYPE_2, Feature.LOCAL_INVALIDATE})
    @Requirement("RDMAP-8.1.1-6-01")
    void locallyInvalidatedWindowIsBoundAgain() {
        Bound bound = new Bound(MemoryWindow.Type.TYPE_2, 0, 50, READ_WRITE);
        for (int round = 1; round <= ROUNDS; round++) {
            int old = bound.stag();
            accepted(bound.pair.qpB().localInvalidate(8, bound.window.rkey(), SIGNALED));
            accepted(bound.again(bound.pair.qpB(), 9, round));
            bound.pair.b().inbox().takeAllOk(8, 9);
            bound.expectUsable(round, old);
        }
    }

    @Test
    @Needs({Feature.MEMORY_WINDOW_TYPE_2, Feature.SEND_WITH_INVALIDATE})
    @Requirement({"RDMAP-5.3-13", "RDMAP-8.1.1-6-01"})
    void remotelyInvalidatedWindowIsBoundAgain() {
        Bound bound = new Bound(MemoryWindow.Type.TYPE_2, 0, 50, READ_WRITE);
        for (int round = 1; round <= ROUNDS; round++) {
            int old = bound.stag();
            accepted(bound.pair.qpB().recv(8, bound.pair.b().buffer(), 2000, 0));
            accepted(bound.pair
                    .qpA()
                    .sendWithInvalidate(9, bound.pair.a().buffer(), 0, 0, bound.window.rkey(), SIGNALED));
            assertThat(bound.pair.b().inbox().takeOk(8).invalidatedRkey()).isEqualTo(old);
            bound.pair.a().inbox().takeOk(9);
            accepted(bound.again(bound.pair.qpB(), 9, round));
            bound.pair.b().inbox().takeOk(9);
            bound.expectUsable(round, old);
        }
    }

    @Test
    @Needs({Feature.MEMORY_WINDOW_TYPE_2, Feature.LOCAL_INVALIDATE})
    @Requirement("RDMAP-8.1.1-6-01")
    void oneBatchBindsAWindowSeveralTimes() {
        Bound bound = new Bound(MemoryWindow.Type.TYPE_2, 0, 50, READ_WRITE);
        Batch batch = bound.pair.qpB().batch();
        int first = bound.stag();
        for (int round = 1; round <= ROUNDS; round++) {
            accepted(batch.localInvalidate(2L * round, bound.window.rkey(), SIGNALED));
            accepted(bound.again(batch, 2L * round + 1, round));
        }
        assertThat(batch.submit()).isEqualTo(2 * ROUNDS);
        for (int round = 1; round <= ROUNDS; round++) {
            bound.pair.b().inbox().takeAllOk(2L * round, 2L * round + 1);
        }
        bound.expectUsable(ROUNDS, first);
    }

    @Test
    @Needs({Feature.MEMORY_WINDOW_TYPE_1, Feature.SEND_WITH_INVALIDATE})
    @Requirement({"RDMAP-8.1.1-7-01", "RDMAP-5.3-14"})
    void peerCannotInvalidateWindowOfType1() {
        Bound bound = new Bound(MemoryWindow.Type.TYPE_1, 100, 50, READ_WRITE);
        Link other = bound.pair.connect(
                bound.pair.a().newQueuePair(config -> config), bound.pair.b().newQueuePair(config -> config));
        accepted(other.qpB().recv(8, bound.pair.b().buffer(), 2000, 8));
        accepted(other.qpA().sendWithInvalidate(9, bound.pair.a().buffer(), 0, 8, bound.window.rkey(), SIGNALED));
        Refusals.expectInvalidateRefused(bound.pair, other);

        OneSided.WRITE.post(bound.pair, 1, bound.stag(), bound.offset(0));
        bound.pair.a().inbox().takeOk(1);
        bound.pair.barrier();
    }

    @ParameterizedTest
    @ApiCase
    @EnumSource(MemoryWindow.Type.class)
    void refusesToBindOverBufferWithoutTheRight(MemoryWindow.Type type) {
        Bound bound = new Bound(type, 100, 50, READ_WRITE);
        var plain = resources().add(bound.pair.b().domain().allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        MemoryWindow window = resources().add(bound.pair.b().domain().memoryWindow(type));
        int status;
        try {
            status = bound.pair.qpB().bind(9, window, plain, 0, 64, SIGNALED, Access.REMOTE_WRITE);
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("MEMORY_WINDOW_BIND");
            return;
        }
        if (status >= 0) {
            Completion refused = bound.pair.b().inbox().take();
            assertThat(refused.ok()).as("%s", refused).isFalse();
            if (bound.pair.b().keeps(Guarantee.BIND_STATUSES)) {
                assertThat(refused.status()).isIn(WcStatus.MEMORY_WINDOW_BIND_ERROR, WcStatus.LOCAL_PROTECTION_ERROR);
            }
        }
    }

    @ParameterizedTest
    @ApiCase
    @EnumSource(MemoryWindow.Type.class)
    void windowHasNothingToAdvertiseBeforeItIsBound(MemoryWindow.Type type) {
        ConnectedPair pair = pair(feature(type));
        MemoryWindow window = resources().add(pair.b().domain().memoryWindow(type));
        assertThat(window.type()).isEqualTo(type);
        assertThatThrownBy(window::remote).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> pair.qpB()
                        .bind(1, window, pair.b().buffer(), pair.b().buffer().length() - 10, 11, SIGNALED, READ_WRITE))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static Feature feature(MemoryWindow.Type type) {
        return type == MemoryWindow.Type.TYPE_1 ? Feature.MEMORY_WINDOW_TYPE_1 : Feature.MEMORY_WINDOW_TYPE_2;
    }

    /** A connection with a window of B bound over a part of its buffer. */
    private final class Bound {
        final ConnectedPair pair;
        final MemoryWindow window;

        Bound(MemoryWindow.Type type, long offset, long length, Access... access) {
            pair = pair();
            requires(pair.b().verbs(), feature(type));
            window = resources().add(pair.b().domain().memoryWindow(type));
            accepted(pair.qpB().bind(77, window, pair.b().buffer(), offset, length, SIGNALED, access));
            assertThat(pair.b().inbox().takeOk(77).opcode()).isEqualTo(WcOpcode.BIND_WINDOW);
        }

        int stag() {
            return window.rkey();
        }

        /** Binds the window again, to the part that {@code round} has. */
        int again(SendQueue queue, long wrId, int round) {
            return queue.bind(wrId, window, pair.b().buffer(), 100L * round, 50, SIGNALED, READ_WRITE);
        }

        /** Writes to the part that {@code round} has, by another STag than {@code old}. */
        void expectUsable(int round, int old) {
            assertThat(stag()).isNotEqualTo(old);
            OneSided.WRITE.post(pair, 1, stag(), offset(0));
            pair.a().inbox().takeOk(1);
            pair.barrier();
            assertThat(pair.b().get(100L * round, OneSided.BYTES))
                    .isEqualTo(pair.a().get(0, OneSided.BYTES));
        }

        /** The tagged offset {@code octets} behind the window's first. */
        long offset(long octets) {
            return window.remote().address() + octets;
        }
    }
}
