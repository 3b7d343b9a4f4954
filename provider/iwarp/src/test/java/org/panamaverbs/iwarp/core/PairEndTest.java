package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.testkit.Requirement;

/** Endings of two streams, and what cannot be posted. */
class PairEndTest {
    private final Pair pair = new Pair();
    private final Side a = pair.a;
    private final Side b = pair.b;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Requirement({"DDP-3-10-01", "MPA-7.2-01", "RDMAP-6.2-01", "DDP-6.2.1-01"})
    void disconnectsGracefullyAfterWhatWasPosted(boolean initiatorCloses) {
        pair.start();
        Side closer = initiatorCloses ? a : b;
        Side other = initiatorCloses ? b : a;
        Guarded local = closer.memory(10_000);
        Guarded remote = other.memory(10_000).pattern(7);
        other.receives(2, 50, other.memory(8192), 4096);
        closer.receive(60, closer.memory(64), 0, 64);
        closer.read(1, local, 0, 5000, remote, 0);
        closer.send(2, local, 5000, 4000);
        closer.stream.disconnect(pair.now);
        assertThat(closer.stream.state()).isEqualTo(StreamState.DRAINING);
        pair.settle();
        assertThat(closer.sends.brief()).containsExactly("1 RDMA_READ", "2 SEND");
        assertThat(other.receives.brief()).containsExactly("50 RECV", "51 WR_FLUSH_ERROR");
        pair.elapse();
        assertThat(closer.receives.brief()).containsExactly("60 WR_FLUSH_ERROR");
        assertThat(closer.closed && other.closed).isTrue();
        assertThat(closer.aborted || other.aborted).isFalse();
        assertThat(closer.stream.fault()).isNull();
        assertThat(other.stream.fault()).isNull();
        assertThat(closer.events).containsOnlyOnce(StreamEvent.DISCONNECTED);
        assertThat(other.events).containsOnlyOnce(StreamEvent.DISCONNECTED);
        assertThat(local.bytes(0, 5000)).isEqualTo(remote.bytes(0, 5000));
    }

    @Test
    void bothMayDisconnectAtOnce() {
        pair.start();
        b.receive(50, b.memory(64), 0, 64);
        a.receive(60, a.memory(64), 0, 64);
        a.send(1, a.memory(64), 0, 3);
        b.send(2, b.memory(64), 0, 3);
        a.stream.disconnect(pair.now);
        b.stream.disconnect(pair.now);
        pair.elapse();
        assertThat(a.sends.brief()).containsExactly("1 SEND");
        assertThat(b.sends.brief()).containsExactly("2 SEND");
        assertThat(a.receives.brief()).containsExactly("60 RECV");
        assertThat(b.receives.brief()).containsExactly("50 RECV");
        assertThat(a.closed && b.closed).isTrue();
        assertThat(a.aborted || b.aborted).isFalse();
    }

    @Test
    @Requirement({"RDMAP-5.4-07", "DDP-6.2.1-02"})
    void flushesWhatIsPostedAfterTheEnd() {
        pair.start();
        pair.disconnect();
        assertThat(a.send(7, a.memory(64), 0, 1)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(a.receive(8, a.memory(64), 0, 1)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(a.stream.sends().post(SendOpcode.SEND, 9, 0, 0, 0, 0, 0, 0, 0))
                .isEqualTo(PostStatus.ACCEPTED);
        assertThat(a.sends.brief()).containsExactly("7 WR_FLUSH_ERROR", "9 WR_FLUSH_ERROR");
        assertThat(a.receives.brief()).containsExactly("8 WR_FLUSH_ERROR");
    }

    @Test
    @Requirement("RDMAP-5.4-07")
    void abortFlushesInOrderAndResets() {
        pair.start();
        Guarded local = a.memory(4096);
        Guarded remote = b.memory(4096);
        a.receives(3, 50, a.memory(256), 64);
        pair.toA.stallAt = pair.toA.readOctets();
        a.read(1, local, 0, 10, remote, 0);
        a.stream.sends().post(SendOpcode.SEND, 2, local.base, 1, local.stag(), 0, 0, 0, 0);
        pair.settle();
        a.read(3, local, 0, 10, remote, 0);
        a.stream.sends().holds = true;
        a.send(4, local, 0, 1);
        a.stream.abort();
        pair.elapse();
        assertThat(a.sends.ids().stream().filter(id -> id != 2).toList()).startsWith(1L, 3L);
        assertThat(a.sends.list).allMatch(wc -> wc.flushed());
        assertThat(a.receives.brief()).containsExactly("50 WR_FLUSH_ERROR", "51 WR_FLUSH_ERROR", "52 WR_FLUSH_ERROR");
        assertThat(a.aborted).isTrue();
        assertThat(b.stream.state()).isEqualTo(StreamState.CLOSED);
        assertThat(b.events).contains(StreamEvent.DISCONNECTED);
    }

    @Test
    @Requirement("DDP-5.2-02")
    void refusesWhatCannotBePosted() {
        Guarded local = a.memory(64);
        assertThat(a.send(1, local, 0, 1)).isEqualTo(PostStatus.NOT_CONNECTED);
        assertThat(a.receive(1, local, 0, 1)).isEqualTo(PostStatus.ACCEPTED);
        Pair small = Pair.of(
                        StreamConfig.builder()
                                .qpNumber(1)
                                .domainId(Side.DOMAIN)
                                .maxSendWr(2)
                                .lingerNanos(Side.LINGER_NANOS)
                                .build(),
                        Side.config(2))
                .start();
        Guarded memory = small.a.memory(64);
        SgList two = SgList.ofCapacity(2).add(memory.base, 1, memory.stag()).add(memory.base, 1, memory.stag());
        assertThat(small.a.stream.sends().post(SendOpcode.SEND, 1, two, 0, 0, 0, 0))
                .isEqualTo(PostStatus.TOO_MANY_SEGMENTS);
        assertThat(small.a
                        .stream
                        .sends()
                        .post(SendOpcode.RDMA_WRITE, 1, memory.base, 1L << 32, memory.stag(), 0, 1, 0, 0))
                .isEqualTo(PostStatus.MESSAGE_TOO_LONG);
        assertThat(small.a.send(1, memory, 0, 1)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(small.a.send(2, memory, 0, 1)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(small.a.send(3, memory, 0, 1)).isEqualTo(PostStatus.QUEUE_FULL);
    }

    @ParameterizedTest
    @CsvSource({"SEND, 60, 5", "RDMA_WRITE, 63, 2", "RDMA_READ, 60, 5"})
    void localProtectionErrorsFailTheRequestAndTerminateWithoutHeaders(SendOpcode operation, int offset, int length) {
        pair.start();
        Guarded local = a.memory(64);
        Guarded remote = b.memory(64);
        b.receives(2, 50, b.memory(128), 64);
        a.post(operation, 1, local, offset, length, remote.base, remote.stag(), 0);
        a.post(operation, 2, local, 0, 1, remote.base, remote.stag(), 0);
        pair.elapse();
        assertThat(a.sends.brief()).containsExactly("1 " + WcStatus.LOCAL_PROTECTION_ERROR, "2 WR_FLUSH_ERROR");
        assertThat(b.stream.terminateCause()).isNotNull();
        assertThat(b.cause()).startsWith("0/0/");
        assertThat(b.receives.brief()).containsExactly("50 WR_FLUSH_ERROR", "51 WR_FLUSH_ERROR");
        pair.assertGuards();
    }

    @Test
    void failsTheStreamIfACompletionIsLost() {
        pair.start();
        a.sends.capacity = 1;
        b.receives(3, 50, b.memory(192), 64);
        Guarded local = a.memory(64);
        a.send(1, local, 0, 1);
        a.send(2, local, 0, 1);
        pair.elapse();
        assertThat(a.sends.brief()).containsExactly("1 SEND");
        assertThat(a.stream.terminateCause()).isNotNull();
        assertThat(a.cause()).startsWith("0/0/00");
        assertThat(a.events).contains(StreamEvent.FATAL);
        assertThat(b.stream.state()).isEqualTo(StreamState.CLOSED);
    }
}
