package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.iwarp.core.HostileFixture.BASE;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.testkit.Requirement;

/** A requester whose peer answers what was not asked (RFC 5040 §5.2.2, RFC 7306 §5.2.2). */
@Requirement({"RDMAP-5.2.2-04", "RDMAP-5.2.2-06", "EXT-5.2.2-7-01", "EXT-5.2.1-5-01", "EXT-5.2.1-01"})
class BadResponseTest {
    private static final String READ_CODES = "1/1/00 1/1/01 1/1/02 1/0/00 0/2/07 0/2/ff 0/1/00 0/1/01";
    private static final String ATOMIC_CODES = "1/2/02 1/2/03 1/2/05 0/2/06 0/2/07 0/2/ff 2/0/03";
    private static final byte[] SIXTEEN = new byte[16];

    /** A wrong answer to a Read of 16 octets into local+8, or to a FetchAdd behind it. */
    record Answer(String name, Function<HostileFixture, byte[][]> segments, String codes) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Answer> answers() {
        List<Answer> all = new ArrayList<>();
        java.util.Arrays.fill(SIXTEEN, (byte) 0x5A);
        read(all, "sink of other memory", f -> Segments.readResponse(f.open.stag(), BASE, true, SIXTEEN));
        read(
                all,
                "sink of another domain",
                f -> Segments.readResponse(f.foreign.stag(), f.foreign.base, true, SIXTEEN));
        read(all, "unknown sink", f -> Segments.readResponse(HostileFixture.UNKNOWN_STAG, f.local.base, true, SIXTEEN));
        read(all, "one octet early", f -> Segments.readResponse(f.local.stag(), f.local.base + 7, true, SIXTEEN));
        read(all, "one octet late", f -> Segments.readResponse(f.local.stag(), f.local.base + 9, true, SIXTEEN));
        read(all, "one octet more", f -> Segments.readResponse(f.local.stag(), f.local.base + 8, true, new byte[17]));
        read(
                all,
                "the buffer's end passed",
                f -> Segments.readResponse(f.local.stag(), f.local.base + 250, true, SIXTEEN));
        read(all, "TO that wraps", f -> Segments.readResponse(f.local.stag(), -8, true, SIXTEEN));
        all.add(new Answer(
                "second segment elsewhere",
                f -> new byte[][] {
                    Segments.readResponse(f.local.stag(), f.local.base + 8, false),
                    Segments.readResponse(f.local.stag(), f.local.base + 40, true, SIXTEEN)
                },
                READ_CODES));
        all.add(new Answer(
                "atomic response first", f -> new byte[][] {Segments.atomicResponse(2, 0, 7)}, ATOMIC_CODES));
        atomic(all, "wrong identifier", f -> Segments.atomicResponse(1, requestId(f) + 1, 7));
        atomic(all, "wrong MSN", f -> Segments.atomicResponse(2, requestId(f), 7));
        atomic(
                all,
                "MSN of the request queue",
                f -> Segments.untagged(Segments.ATOMIC_RESPONSE, 0, 3, 0, 0, true, new byte[12]));
        atomic(all, "11 octets", f -> Segments.untagged(Segments.ATOMIC_RESPONSE, 0, 3, 1, 0, true, new byte[11]));
        atomic(all, "13 octets", f -> Segments.untagged(Segments.ATOMIC_RESPONSE, 0, 3, 1, 0, true, new byte[13]));
        return all.stream();
    }

    private static void read(List<Answer> all, String name, Function<HostileFixture, byte[]> segment) {
        all.add(new Answer("Read Response: " + name, f -> new byte[][] {segment.apply(f)}, READ_CODES));
    }

    private static void atomic(List<Answer> all, String name, Function<HostileFixture, byte[]> segment) {
        all.add(new Answer(
                "Atomic Response: " + name,
                f -> new byte[][] {
                    Segments.readResponse(f.local.stag(), f.local.base + 8, true, f.local.bytes(8, 16)),
                    segment.apply(f)
                },
                ATOMIC_CODES));
    }

    private static int requestId(HostileFixture fixture) {
        return fixture.peer.answers.getLast().at(18 + 4);
    }

    private static HostileFixture asked() {
        HostileFixture fixture = HostileFixture.initiator().receives(1);
        fixture.side.read(1, fixture.local, 8, 16, fixture.open, 0);
        fixture.side.fetchAdd(2, fixture.local, 64, fixture.open, 0, 1);
        fixture.peer.settle();
        assertThat(fixture.peer.answers).hasSize(2);
        Segments.Parsed request = fixture.peer.answers.getFirst();
        assertThat(request.octets())
                .isEqualTo(Segments.readRequest(
                        1, fixture.local.stag(), fixture.local.base + 8, 16, fixture.open.stag(), BASE));
        Segments.Parsed atomic = fixture.peer.answers.getLast();
        assertThat(atomic.octets()).isEqualTo(Segments.fetchAdd(2, requestId(fixture), fixture.open.stag(), BASE, 1));
        return fixture;
    }

    @ParameterizedTest
    @MethodSource("answers")
    void terminatesAndPlacesNothing(Answer answer) {
        HostileFixture fixture = asked();
        byte[][] segments = answer.segments().apply(fixture);
        fixture.peer.inject(segments);
        fixture.assertTerminated(answer.codes(), 0xC0, segments[segments.length - 1]);
        fixture.assertMemoryUntouched();
        fixture.assertDeaf(segments[segments.length - 1]);
        assertThat(fixture.side.sends.ids()).containsExactly(1L, 2L);
        assertThat(fixture.side.sends.last().ok()).isFalse();
        fixture.assertMemoryUntouched();
    }

    @Test
    void aShortReadIsNoSuccess() {
        HostileFixture fixture = asked();
        fixture.peer.inject(Segments.readResponse(fixture.local.stag(), fixture.local.base + 8, true, new byte[15]));
        assertThat(fixture.side.sends.list).noneMatch(Wc::ok).hasSize(2);
        assertThat(fixture.peer.terminates()).hasSize(1);
    }

    @Test
    void anEmptyResponseIsNoAnswerToARead() {
        HostileFixture fixture = asked();
        fixture.peer.inject(Segments.readResponse(fixture.local.stag(), fixture.local.base + 8, true));
        assertThat(fixture.side.sends.list).noneMatch(Wc::ok).hasSize(2);
        fixture.assertMemoryUntouched();
    }

    @Test
    void takesTheRightAnswersInAnyNumberOfSegments() {
        HostileFixture fixture = asked();
        long to = fixture.local.base + 8;
        fixture.peer.inject(
                Segments.readResponse(fixture.local.stag(), to, false, new byte[7]),
                Segments.readResponse(fixture.local.stag(), to + 7, false, new byte[1]),
                Segments.readResponse(fixture.local.stag(), to + 8, true, new byte[8]),
                Segments.atomicResponse(1, requestId(fixture), 0x0102030405060708L));
        assertThat(fixture.side.sends.brief()).containsExactly("1 RDMA_READ", "2 FETCH_ADD");
        assertThat(fixture.local.bytes(8, 16)).containsOnly(0);
        assertThat(fixture.local.getLong(64)).isEqualTo(0x0102030405060708L);
    }

    // The sink needs no remote right (verbs); so the peer may answer a Read there but not Write.
    @Test
    void aReadSinkIsNoTargetForWrites() {
        HostileFixture fixture = asked();
        byte[] write = Segments.write(fixture.local.stag(), fixture.local.base + 8, SIXTEEN);
        fixture.peer.inject(write);
        fixture.assertTerminated("1/1/00 0/1/02", 0xC0, write);
        fixture.assertMemoryUntouched();
    }

    @Test
    void aRevokedSinkIsNotWrittenTo() {
        HostileFixture fixture = asked();
        assertThat(fixture.local.region.revoke()).isTrue();
        assertThat(fixture.local.region.quiescent()).isTrue();
        fixture.peer.inject(Segments.readResponse(fixture.local.stag(), fixture.local.base + 8, true, SIXTEEN));
        assertThat(fixture.side.sends.list).hasSize(2).noneMatch(Wc::ok);
        fixture.assertMemoryUntouched();
    }

    @Test
    void thePeersTerminateFailsTheRequestItNames() {
        HostileFixture fixture = asked();
        byte[] request = fixture.peer.answers.getFirst().octets();
        byte[] body = java.nio.ByteBuffer.allocate(2 + 18 + 28)
                .putShort((short) request.length)
                .put(request)
                .array();
        fixture.peer.inject(Segments.terminate(0, 1, 2, 0xE0, body));
        assertThat(fixture.side.sends.ids()).containsExactly(1L, 2L);
        assertThat(fixture.side.sends.list.getFirst().status()).isEqualTo(WcStatus.REMOTE_ACCESS_ERROR);
        assertThat(fixture.side.sends.last().flushed()).isTrue();
        assertThat(fixture.peer.terminates()).isEmpty();
    }
}
