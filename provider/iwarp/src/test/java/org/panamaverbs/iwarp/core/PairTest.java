package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.testkit.Requirement;

/** Messages, Writes and Reads between two streams. */
class PairTest {
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
    private final Pair pair = new Pair().start();
    private final Side a = pair.a;
    private final Side b = pair.b;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 127, 1435, 1436, 1437, 4096, 65_537})
    @Requirement({
        "DDP-3-7-01",
        "RDMAP-3.1-04",
        "RDMAP-3.2-02",
        "RDMAP-5.3-03",
        "RDMAP-5.3-10",
        "DDP-5.2-03",
        "DDP-5.2-04",
        "DDP-5.4-02"
    })
    void sends(int length) {
        Guarded from = a.memory(70_000).pattern(1);
        Guarded to = b.memory(70_000);
        b.receive(9, to, 3, 66_000);
        assertThat(a.send(1, from, 5, length)).isEqualTo(PostStatus.ACCEPTED);
        pair.settle();
        assertThat(a.sends.brief()).containsExactly("1 SEND");
        assertThat(b.receives.brief()).containsExactly("9 RECV");
        assertThat(b.receives.last().byteCount()).isEqualTo(length);
        assertThat(b.receives.last().qpNumber()).isEqualTo(b.qpNumber);
        assertThat(b.receives.last().flags()).isZero();
        assertThat(to.bytes(3, length)).isEqualTo(from.bytes(5, length));
        assertThat(to.bytes(3L + length, 8)).containsOnly(0);
        pair.disconnect();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 14, 1440, 1441, 1_048_576})
    @Requirement({
        "RDMAP-3.2-04",
        "RDMAP-5.1-02",
        "RDMAP-5.1-04",
        "RDMAP-5.1-08",
        "DDP-5.2-03",
        "DDP-5.2-04",
        "DDP-4.2-06"
    })
    void writesWithoutTellingTheSink(int length) {
        Guarded from = a.memory(1_048_600).pattern(2);
        Guarded to = b.memory(1_048_600);
        b.receive(50, b.memory(64), 0, 64);
        a.write(1, from, 1, length, to, 7);
        pair.settle();
        assertThat(a.sends.brief()).containsExactly("1 RDMA_WRITE");
        assertThat(b.receives.list).isEmpty();
        assertThat(to.bytes(7, length)).isEqualTo(from.bytes(1, length));
        assertThat(to.bytes(0, 7)).containsOnly(0);
        assertThat(to.bytes(7L + length, 17)).containsOnly(0);
        pair.disconnect();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 13, 1440, 1441, 1_048_576})
    @Requirement({
        "RDMAP-3.2-05",
        "RDMAP-4.4-04",
        "RDMAP-5.2.1-03",
        "RDMAP-5.2.1-09",
        "RDMAP-5.2.1-11",
        "RDMAP-5.2.2-03",
        "DDP-5.2-04"
    })
    void readsWithoutTellingTheSource(int length) {
        Guarded sink = a.memory(1_048_600);
        Guarded source = b.memory(1_048_600).pattern(3);
        b.receive(50, b.memory(64), 0, 64);
        a.read(1, sink, 3, length, source, 11);
        pair.settle();
        assertThat(a.sends.brief()).containsExactly("1 RDMA_READ");
        assertThat(a.sends.last().byteCount()).isEqualTo(length);
        assertThat(b.receives.list).isEmpty();
        assertThat(b.sends.list).isEmpty();
        assertThat(sink.bytes(3, length)).isEqualTo(source.bytes(11, length));
        assertThat(sink.bytes(3L + length, 21)).containsOnly(0);
        pair.disconnect();
    }

    @Test
    void gathersAndScatters() {
        Guarded from = a.memory(4096).pattern(4);
        Guarded to = b.memory(4096);
        SgList receive = SgList.ofCapacity(3)
                .add(to.base + 100, 7, to.stag())
                .add(to.base + 200, 0, to.stag())
                .add(to.base + 1000, 3000, to.stag());
        b.stream.receives().post(9, receive);
        SgList send = SgList.ofCapacity(4)
                .add(from.base, 3, from.stag())
                .add(from.base + 17, 0, from.stag())
                .add(from.base + 1001, 2000, from.stag())
                .add(from.base + 5, 2, from.stag());
        assertThat(a.stream.sends().post(SendOpcode.SEND, 1, send, 0, 0, 0, SendFlag.SIGNALED))
                .isZero();
        pair.settle();
        byte[] expected = concat(from.bytes(0, 3), from.bytes(1001, 2000), from.bytes(5, 2));
        assertThat(b.receives.last().byteCount()).isEqualTo(expected.length);
        assertThat(concat(to.bytes(100, 7), to.bytes(1000, expected.length - 7)))
                .isEqualTo(expected);

        pair.disconnect();
    }

    // RFC 5040 §5.2.2: a Read Response writes to one tagged buffer.
    @Test
    @Requirement("RDMAP-5.2.2-07")
    void refusesToScatterARead() {
        Guarded to = b.memory(64);
        Guarded from = a.memory(64).pattern(1);
        SgList two = SgList.ofCapacity(2).add(to.base, 5, to.stag()).add(to.base + 9, 9, to.stag());
        assertThat(b.stream.sends().post(SendOpcode.RDMA_READ, 2, two, from.base, from.stag(), 0, SendFlag.SIGNALED))
                .isEqualTo(PostStatus.TOO_MANY_SEGMENTS);
        SgList one = SgList.ofCapacity(1).add(to.base + 9, 9, to.stag());
        assertThat(b.stream.sends().post(SendOpcode.RDMA_READ, 3, one, from.base, from.stag(), 0, SendFlag.SIGNALED))
                .isEqualTo(PostStatus.ACCEPTED);
        pair.settle();
        assertThat(b.sends.brief()).containsExactly("3 RDMA_READ");
        assertThat(to.bytes(9, 9)).isEqualTo(from.bytes(0, 9));
        pair.disconnect();
    }

    @Test
    void copiesInlineDataWhilePosting() {
        Guarded to = b.memory(512);
        b.receives(2, 1, to, 64);
        byte[] data = HELLO.clone();
        MemorySegment heap = MemorySegment.ofArray(data);
        assertThat(a.stream.sends().postInline(SendOpcode.SEND, 1, heap, 0, 5, 0, 0, 0, SendFlag.SIGNALED))
                .isZero();
        assertThat(a.stream.sends().postInline(SendOpcode.SEND, 2, heap, 1, 3, 0, 0, 0, SendFlag.SIGNALED))
                .isZero();
        assertThat(a.stream
                        .sends()
                        .postInline(
                                SendOpcode.RDMA_WRITE, 3, heap, 0, 5, to.base + 300, to.stag(), 0, SendFlag.SIGNALED))
                .isZero();
        data[0] = 'X';
        data[1] = 'X';
        pair.settle();
        assertThat(to.bytes(0, 5)).isEqualTo(HELLO);
        assertThat(to.bytes(64, 3)).isEqualTo("ell".getBytes(StandardCharsets.US_ASCII));
        assertThat(to.bytes(300, 5)).isEqualTo(HELLO);
        assertThat(a.sends.brief()).containsExactly("1 SEND", "2 SEND", "3 RDMA_WRITE");
        MemorySegment tooLong = MemorySegment.ofArray(new byte[257]);
        assertThat(a.stream.sends().postInline(SendOpcode.SEND, 4, tooLong, 0, 257, 0, 0, 0, 0))
                .isEqualTo(PostStatus.INLINE_TOO_LONG);
        pair.disconnect();
    }

    @Test
    void copiesThePostedBufferIfTheInlineFlagIsSet() {
        Guarded from = a.memory(64).put(0, HELLO);
        Guarded to = b.memory(64);
        b.receive(1, to, 0, 64);
        a.stream
                .sends()
                .post(SendOpcode.SEND, 1, from.base, 5, from.stag(), 0, 0, 0, SendFlag.SIGNALED | SendFlag.INLINE);
        from.put(0, new byte[5]);
        pair.settle();
        assertThat(to.bytes(0, 5)).isEqualTo(HELLO);
        pair.disconnect();
    }

    @Test
    @Requirement("RDMAP-5.3-06")
    void marksSolicitedMessages() {
        Guarded from = a.memory(64);
        Guarded to = b.memory(512);
        b.receives(4, 1, to, 64);
        int solicited = SendFlag.SOLICITED | SendFlag.SIGNALED;
        a.stream.sends().post(SendOpcode.SEND, 1, from.base, 5, from.stag(), 0, 0, 0, solicited);
        a.stream.sends().post(SendOpcode.SEND, 2, from.base, 5, from.stag(), 0, 0, 0, SendFlag.SIGNALED);
        a.stream.sends().post(SendOpcode.IMMEDIATE, 3, 0, 0, 0, 0, 0, 42, solicited);
        a.stream.sends().post(SendOpcode.IMMEDIATE, 4, 0, 0, 0, 0, 0, 43, SendFlag.SIGNALED);
        pair.settle();
        assertThat(b.receives.list)
                .extracting(wc -> wc.has(CompletionSink.SOLICITED))
                .containsExactly(true, false, true, false);
        pair.disconnect();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 0x0102_0304_0506_0708L, -1L})
    @Requirement({"EXT-6.1-01", "EXT-6.3-02", "DRAFT01-6-01"})
    void deliversEightOctetsOfImmediateData(long immediate) {
        Guarded to = b.memory(64);
        b.receive(1, to, 0, 64);
        a.stream.sends().post(SendOpcode.IMMEDIATE, 5, 0, 0, 0, 0, 0, immediate, SendFlag.SIGNALED);
        pair.settle();
        Wc received = b.receives.last();
        assertThat(received.brief()).isEqualTo("1 RECV_IMMEDIATE");
        assertThat(received.has(CompletionSink.HAS_IMMEDIATE)).isTrue();
        assertThat(received.immediateOrStag()).isEqualTo(immediate);
        assertThat(to.bytes()).containsOnly(0);
        assertThat(a.sends.brief()).containsExactly("5 IMMEDIATE");
        pair.disconnect();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 5000})
    @Requirement({"EXT-6.4-01", "EXT-7-02"})
    void writesThenDeliversImmediateData(int length) {
        Guarded from = a.memory(8192).pattern(6);
        Guarded to = b.memory(8192);
        Guarded receive = b.memory(64);
        b.receive(1, receive, 0, 64);
        a.post(SendOpcode.RDMA_WRITE_WITH_IMMEDIATE, 5, from, 9, length, to.base + 100, to.stag(), 77);
        pair.settle();
        assertThat(b.receives.brief()).containsExactly("1 RECV_IMMEDIATE");
        assertThat(b.receives.last().immediateOrStag()).isEqualTo(77);
        assertThat(to.bytes(100, length)).isEqualTo(from.bytes(9, length));
        assertThat(receive.bytes()).containsOnly(0);
        assertThat(a.sends.brief()).containsExactly("5 RDMA_WRITE");
        pair.disconnect();
    }

    @ParameterizedTest
    @EnumSource(
            value = SendOpcode.class,
            names = {"SEND", "RDMA_WRITE"})
    void completesUnsignaledRequestsSilently(SendOpcode operation) {
        Guarded from = a.memory(64);
        Guarded to = b.memory(640);
        b.receives(10, 1, to, 64);
        for (int i = 1; i <= 9; i++) {
            a.stream.sends().post(operation, i, from.base, 5, from.stag(), to.base, to.stag(), 0, 0);
        }
        a.post(operation, 10, from, 0, 5, to.base, to.stag(), 0);
        pair.settle();
        assertThat(a.sends.ids()).containsExactly(10L);
        assertThat(a.stream.idle()).isTrue();
        pair.disconnect();
    }

    @Test
    void signalsAllIfTheQueuePairSaysSo() {
        StreamConfig config = StreamConfig.builder()
                .qpNumber(7)
                .domainId(Side.DOMAIN)
                .maxSendWr(8)
                .maxInlineBytes(16)
                .signalAll(true)
                .lingerNanos(Side.LINGER_NANOS)
                .build();
        Pair signaled = Pair.of(config, Side.config(8)).start();
        Guarded from = signaled.a.memory(64);
        Guarded to = signaled.b.memory(64);
        signaled.a.stream.sends().post(SendOpcode.RDMA_WRITE, 3, from.base, 5, from.stag(), to.base, to.stag(), 0, 0);
        signaled.settle();
        assertThat(signaled.a.sends.brief()).containsExactly("3 " + WcOpcode.RDMA_WRITE);
        signaled.disconnect();
    }

    private static byte[] concat(byte[]... parts) {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
