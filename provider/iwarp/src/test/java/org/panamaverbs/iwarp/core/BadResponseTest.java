package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.iwarp.core.HostileFixture.BASE;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.RequirementCase;

/** A requester whose peer answers what was not asked (RFC 5040 §5.2.2, RFC 7306 §5.2.2). */
class BadResponseTest {
    private static final byte[] SIXTEEN = new byte[16];
    private static final byte[] EIGHT = {9, 9, 9, 9, 9, 9, 9, 9};

    /** A wrong answer to a Read of 16 octets into local+8, or to a FetchAdd behind it. */
    record Answer(String name, Function<HostileFixture, byte[][]> segments, String code, List<String> requirements)
            implements RequirementCase {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Answer> answers() {
        List<Answer> all = new ArrayList<>();
        java.util.Arrays.fill(SIXTEEN, (byte) 0x5A);
        read(all, "sink of other memory", "1/1/00", f -> Segments.readResponse(f.open.stag(), BASE, true, SIXTEEN));
        read(
                all,
                "sink of another domain",
                "1/1/00",
                f -> Segments.readResponse(f.foreign.stag(), f.foreign.base, true, SIXTEEN));
        read(
                all,
                "unknown sink",
                "1/1/00",
                f -> Segments.readResponse(HostileFixture.UNKNOWN_STAG, f.local.base, true, SIXTEEN));
        readAt(all, "one octet early", 7, SIXTEEN);
        readAt(all, "one octet late", 9, SIXTEEN);
        readAt(all, "one octet more", 8, new byte[17]);
        readAt(all, "the buffer's end passed", 250, SIXTEEN);
        read(all, "TO that wraps", "1/1/01", f -> Segments.readResponse(f.local.stag(), -8, true, SIXTEEN));
        all.add(new Answer(
                "second segment elsewhere",
                f -> new byte[][] {
                    Segments.readResponse(f.local.stag(), f.local.base + 8, false, f.local.bytes(8, 8)),
                    Segments.readResponse(f.local.stag(), f.local.base + 40, true, EIGHT)
                },
                "1/1/01",
                List.of("RDMAP-5.2.2-06", "RDMAP-5.2.2-07")));
        all.add(new Answer(
                "second segment in other memory",
                f -> new byte[][] {
                    Segments.readResponse(f.local.stag(), f.local.base + 8, false, f.local.bytes(8, 8)),
                    Segments.readResponse(f.open.stag(), f.local.base + 16, true, EIGHT)
                },
                "1/1/00",
                List.of("RDMAP-5.2.2-06", "RDMAP-5.2.2-07")));
        all.add(new Answer(
                "atomic response first",
                f -> new byte[][] {Segments.atomicResponse(2, 0, 7)},
                "1/2/02",
                List.of("EXT-5.2.2-7-01")));
        atomic(all, "wrong identifier", "0/2/ff", f -> Segments.atomicResponse(1, requestId(f) + 1, 7));
        atomic(all, "wrong MSN", "1/2/03", f -> Segments.atomicResponse(2, requestId(f), 7));
        atomic(all, "MSN of the request queue", "1/2/03", f -> atomicResponse(0, 12));
        atomic(all, "11 octets", "0/2/ff", f -> atomicResponse(1, 11));
        atomic(all, "13 octets", "1/2/05", f -> atomicResponse(1, 13));
        return all.stream();
    }

    private static byte[] atomicResponse(int msn, int length) {
        return Segments.untagged(Segments.ATOMIC_RESPONSE, 0, 3, msn, 0, true, new byte[length]);
    }

    private static void readAt(List<Answer> all, String name, int offset, byte[] data) {
        read(all, name, "1/1/01", f -> Segments.readResponse(f.local.stag(), f.local.base + offset, true, data));
    }

    private static void read(List<Answer> all, String name, String code, Function<HostileFixture, byte[]> segment) {
        all.add(new Answer(
                "Read Response: " + name,
                f -> new byte[][] {segment.apply(f)},
                code,
                List.of("RDMAP-5.2.2-04", "RDMAP-5.2.2-06", "RDMAP-5.2.2-07", "SEC-6.2.1-01")));
    }

    private static void atomic(List<Answer> all, String name, String code, Function<HostileFixture, byte[]> segment) {
        all.add(new Answer(
                "Atomic Response: " + name,
                f -> new byte[][] {
                    Segments.readResponse(f.local.stag(), f.local.base + 8, true, f.local.bytes(8, 16)),
                    segment.apply(f)
                },
                code,
                name.equals("wrong MSN")
                        ? List.of("EXT-5.2.2-7-01", "EXT-8.1-2-01", "DDP-7.1-U5-01", "DDP-4.3-06")
                        : List.of("EXT-5.2.2-7-01", "EXT-8.1-2-01")));
    }

    private static int requestId(HostileFixture fixture) {
        return fixture.peer.answers.getLast().at(18 + 4);
    }

    static HostileFixture asked() {
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
        fixture.assertTerminated(answer.code(), 0xC0, segments[segments.length - 1]);
        fixture.assertMemoryUntouched();
        fixture.assertDeaf(segments[segments.length - 1]);
        assertThat(fixture.side.sends.ids()).containsExactly(1L, 2L);
        assertThat(fixture.side.sends.last().ok()).isFalse();
        fixture.assertMemoryUntouched();
        // Nothing that the application posts, registers or sets is to blame.
        assertThat(Objects.requireNonNull(fixture.side.stream.fault()).cause().remedy())
                .contains("report the sender's bug");
    }

    @Test
    @Requirement({"RDMAP-5.2.2-04", "RDMAP-5.2.2-06"})
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
    @Requirement({"EXT-5.2.1-5-01", "EXT-5.2.1-01", "EXT-5-05", "RDMAP-5.2.2-07"})
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
        fixture.assertTerminated("1/1/00", 0xC0, write);
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
