package org.panamaverbs.testkit.conformance.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Requirement;

/** What is refused at the requester, before anything is posted: the connection stays as it was. */
public abstract class RequesterChecksConformance extends Conformance {
    /** For subclasses. */
    protected RequesterChecksConformance() {}

    @Test
    @ApiCase
    void refusesRangesBeyondEitherBuffer() {
        ConnectedPair pair = pair();
        QueuePair queuePair = pair.qpA();
        RegisteredBuffer local = pair.a().buffer();
        RemoteBuffer remote = pair.b().remote();
        long end = local.length();
        assertThatThrownBy(() -> queuePair.write(1, local, end - 7, 8, remote, 0, SIGNALED))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> queuePair.write(1, local, 0, 8, remote, end - 7, SIGNALED))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> queuePair.read(1, local, -1, 8, remote, 0, SIGNALED))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> queuePair.read(1, local, 0, 8, remote, -1, SIGNALED))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> queuePair.send(1, local, 0, end + 1, SIGNALED))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> queuePair.recv(1, local, end, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        expectNothingPosted(pair);
    }

    @Test
    @ApiCase
    void refusesOperationsThePeerDidNotAllow() {
        ConnectedPair pair = pair();
        RegisteredBuffer local = pair.a().buffer();
        RemoteBuffer readable = pair.b().buffer().remote(0, 64, Access.REMOTE_READ);
        RemoteBuffer writable = pair.b().buffer().remote(0, 64, Access.REMOTE_WRITE);
        assertThatThrownBy(() -> pair.qpA().write(1, local, 0, 8, readable, 0, SIGNALED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("REMOTE_WRITE");
        assertThatThrownBy(() -> pair.qpA().read(1, local, 0, 8, writable, 0, SIGNALED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("REMOTE_READ");
        assertThatThrownBy(() -> pair.qpA().fetchAdd(1, local, 0, writable, 0, 1, SIGNALED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("REMOTE_ATOMIC");
        expectNothingPosted(pair);
    }

    @Test
    void leavesRightsThatNobodyNamedToThePeerAndChecksTheRest() {
        ConnectedPair pair = pair();
        RegisteredBuffer local = pair.a().buffer();
        RemoteBuffer whole = pair.b().remote();
        RemoteBuffer foreign = RemoteBuffer.ofUnknownRights(whole.rkey(), whole.address(), 64);
        assertThatThrownBy(() -> pair.qpA().write(1, local, 0, 8, foreign, 57, SIGNALED))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("rights=unknown");
        assertThatThrownBy(() -> pair.qpA().fetchAdd(1, local, 0, foreign, 4, 1, SIGNALED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a multiple of 8");
        expectNothingPosted(pair);

        pair.a().put(0, new byte[] {1, 2, 3});
        accepted(pair.qpA().write(2, local, 0, 3, foreign, 8, SIGNALED));
        pair.a().inbox().takeOk(2);
        pair.barrier();
        assertThat(pair.b().get(8, 3)).containsExactly(1, 2, 3);

        RegisteredBuffer closedToPeers = resources().add(pair.b().domain().allocate(64, Access.LOCAL_WRITE));
        RemoteBuffer refused = RemoteBuffer.ofUnknownRights(
                closedToPeers.rkey(), closedToPeers.segment().address(), 64);
        accepted(pair.qpA().write(4, local, 0, 3, refused, 0, SIGNALED));
        pair.awaitDown();
        assertThat(closedToPeers.segment().get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0))
                .isZero();
    }

    @Test
    @ApiCase
    void refusesMisalignedAtomicTarget() {
        ConnectedPair pair = pair(OneSided.FETCH_ADD.features());
        RegisteredBuffer local = pair.a().buffer();
        RemoteBuffer remote = pair.b().remote();
        assertThatThrownBy(() -> pair.qpA().fetchAdd(1, local, 0, remote, 4, 1, SIGNALED))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> pair.qpA().cmpSwap(1, local, 0, remote, 1, 1, 2, SIGNALED))
                .isInstanceOf(IllegalArgumentException.class);
        expectNothingPosted(pair);
    }

    @Test
    @ApiCase
    @Requirement({"RDMAP-8.1.2-4-01", "SEC-7.3-01"})
    void refusesToRegisterWhatAnAdapterCannotUse() {
        Endpoint side = sideA();
        Access[] writable = {Access.LOCAL_WRITE};
        assertThatThrownBy(() -> side.domain().register(MemorySegment.ofArray(new byte[64]), writable))
                .isInstanceOf(IllegalArgumentException.class);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(64, 8);
            assertThatThrownBy(() -> side.domain().register(memory.asSlice(0, 0), writable))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> side.domain().register(memory.asReadOnly(), writable))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> side.domain().register(memory, Access.REMOTE_WRITE))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> side.domain().allocate(0, writable)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> side.domain().allocate(-1, writable)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> side.domain().allocate(64, Access.REMOTE_ATOMIC))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @ApiCase
    @Requirement({"SEC-6.3.2-01", "SEC-6.3.4-01", "RDMAP-3.2-07"})
    void allocatesZeroedMemoryOfTheRequestedLength() {
        Endpoint side = sideA();
        try (RegisteredBuffer buffer = side.domain().allocate(5000, Access.LOCAL_WRITE, Access.REMOTE_READ)) {
            assertThat(buffer.length()).isEqualTo(5000);
            assertThat(buffer.segment().address() % 4096).isZero();
            assertThat(buffer.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                    .containsOnly(0);
            assertThat(buffer.access()).isEqualTo(Access.mask(Access.LOCAL_WRITE, Access.REMOTE_READ));
        }
    }

    @Test
    @ApiCase
    void refusesAnythingWithClosedBuffer() {
        ConnectedPair pair = pair();
        RegisteredBuffer buffer = pair.a().domain().allocate(64, Access.LOCAL_WRITE);
        buffer.close();
        assertThatThrownBy(() -> pair.qpA().send(1, buffer, 0, 8, SIGNALED)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> pair.qpA().recv(1, buffer)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(buffer::remote).isInstanceOf(IllegalStateException.class);
        expectNothingPosted(pair);
    }

    private static void expectNothingPosted(ConnectedPair pair) {
        pair.a().inbox().expectNothing();
        pair.barrier();
    }
}
