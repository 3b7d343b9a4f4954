package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.testkit.Requirement;

/** A peer that knows RFC 5040 alone refuses the messages of RFC 7306, in its own way of writing it. */
class UnextendedPeerTest {
    private final HostileFixture fixture = HostileFixture.initiator().receives(1);

    // RFC 7306 §1.1: Remote Operation Error, Unexpected OpCode.
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    @Requirement("EXT-1.1-03")
    void refusalIsTold(boolean atomic, boolean siw) {
        if (atomic) {
            fixture.side.fetchAdd(1, fixture.local, 64, fixture.open, 0, 0);
        } else {
            PostStatus.check(
                    fixture.side.stream.sends().post(SendOpcode.IMMEDIATE, 1, 0, 0, 0, 0, 0, 9, SendFlag.SIGNALED));
        }
        fixture.peer.settle();
        Segments.Parsed request = fixture.peer.answers.getFirst();
        byte[] headers = ByteBuffer.allocate(20)
                .putShort((short) request.octets().length)
                .put(request.octets(), 0, 18)
                .array();
        // Linux siw swaps the nibbles and returns no headers of opcodes that it does not know.
        fixture.peer.inject(siw ? Segments.terminate(2, 0, 6, 0) : Segments.terminate(0, 2, 6, 0xC0, headers));
        assertThat(fixture.side.cause()).startsWith("0/2/06").contains("by the peer");
        assertThat(fixture.peer.terminates()).isEmpty();
        assertThat(fixture.side.receives.list).hasSize(1).allMatch(Wc::flushed);
        if (atomic) {
            assertThat(fixture.side.sends.brief())
                    .containsExactly(siw ? "1 WR_FLUSH_ERROR" : "1 REMOTE_INVALID_REQUEST");
            fixture.assertMemoryUntouched();
        } else {
            assertThat(fixture.side.sends.brief()).as("left before the refusal").containsExactly("1 IMMEDIATE");
        }
    }
}
