package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.memory.Access;
import org.panamaverbs.spi.support.WindowBinding;
import org.panamaverbs.testkit.Requirement;

/**
 * A window that its owner takes away while the peer reads it faster than the socket takes the answers: what was begun
 * is sent, the owner's request succeeds, and the next Read is refused. {@code RevocationRaceTest} tries it with
 * threads.
 */
class RecalledWindowTest {
    private static final int LENGTH = 1000;
    private static final int LONG = 64 * 1024;
    private static final int DEPTH = 16;
    private static final int RIGHTS = Access.mask(Access.REMOTE_READ);

    private RawPeer peer = peer(false, Pair.EMSS);
    private Guarded memory = peer.side.memory(LENGTH);
    private Region window = Objects.requireNonNull(peer.side.stags.reserve(Side.DOMAIN));
    private int msn = 1;

    private static RawPeer peer(boolean crc, int emss) {
        return new RawPeer(
                Negotiated.builder(true).crc(crc).depths(DEPTH).emss(emss).build());
    }

    private void bind(long wrId, long length) {
        PostStatus.check(peer.side
                .stream
                .sends()
                .postBind(
                        wrId,
                        window,
                        true,
                        memory.stag(),
                        new WindowBinding(window.nextStag(1), memory.base, length, RIGHTS),
                        SendFlag.SIGNALED));
    }

    private void recall(String how) {
        switch (how) {
            case "invalidated" ->
                PostStatus.check(peer.side.stream.sends().postLocalInvalidate(2, window.stag(), SendFlag.SIGNALED));
            case "unbound" -> bind(2, 0);
            default -> bind(2, memory.size());
        }
    }

    private void read(int stag, int length) {
        peer.inject(Segments.readRequest(msn++, 1, 0, length, stag, memory.base));
    }

    /** Binds the window, and has the answer to one Read of it begun and not ended; returns the window's STag. */
    private int beginAnswer(int length) {
        bind(1, length);
        peer.settle();
        int stag = window.stag();
        peer.fromStream.window = LENGTH / 2;
        read(stag, length);
        peer.fromStream.window = 0;
        return stag;
    }

    private void writeOn() {
        peer.fromStream.window = Long.MAX_VALUE;
        peer.settle();
    }

    private long answered(int length) {
        return peer.answers.stream()
                        .filter(answer -> answer.opcode() == Segments.READ_RESPONSE)
                        .mapToLong(answer -> answer.payload().length)
                        .sum()
                / length;
    }

    @ParameterizedTest
    @ValueSource(strings = {"invalidated", "unbound", "bound anew"})
    @Requirement("RDMAP-8.1.1-6-01")
    void isTakenAwayBetweenTwoBatches(String how) {
        int stag = beginAnswer(LENGTH);
        read(stag, LENGTH);
        read(stag, LENGTH);
        recall(how);
        writeOn();

        assertThat(peer.side.cause()).startsWith("0/1/00");
        assertThat(peer.side.sends.list).hasSize(2).allMatch(Wc::ok);
        assertThat(answered(LENGTH)).isEqualTo(2);
        assertThat(peer.terminates())
                .singleElement()
                .matches(terminate -> terminate.code().equals("0/1/00"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"invalidated", "unbound", "bound anew"})
    void leavesReadsOfOtherMemoryAnswered(String how) {
        int stag = beginAnswer(LENGTH);
        read(stag, LENGTH);
        read(memory.stag(), LENGTH);
        recall(how);
        writeOn();

        assertThat(peer.side.sends.list).hasSize(2).allMatch(Wc::ok);
        assertThat(answered(LENGTH)).isEqualTo(3);
        assertThat(peer.side.stream.state()).isEqualTo(StreamState.ESTABLISHED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"invalidated", "unbound", "bound anew"})
    void isTakenAwayThoughWhatFollowsIsFlushed(String how) {
        int stag = beginAnswer(LENGTH);
        read(stag, LENGTH);
        read(stag, LENGTH);
        peer.side.stream.sends().holds = true;
        recall(how);
        peer.side.send(3, memory, 0, LENGTH);
        peer.side.stream.sends().holds = false;
        assertThat(peer.side.stream.sends().publish()).isEqualTo(2);
        writeOn();

        assertThat(peer.side.cause()).startsWith("0/1/00");
        assertThat(peer.side.sends.list).hasSize(3);
        assertThat(peer.side.sends.list.get(1).ok()).isTrue();
        assertThat(peer.side.sends.list.get(2).flushed()).isTrue();
    }

    // A batch that ends at its limit behind a whole answer leaves the turn to the request, which writes nothing.
    @ParameterizedTest
    @CsvSource({"false, invalidated", "false, unbound", "true, invalidated", "true, unbound"})
    void keepsNoReadWaitingWhileItIsAlone(boolean crc, String how) {
        peer = peer(crc, LONG);
        memory = peer.side.memory(LONG);
        window = Objects.requireNonNull(peer.side.stags.reserve(Side.DOMAIN));
        beginAnswer(LONG);
        for (int i = 1; i < DEPTH; i++) {
            read(memory.stag(), LONG);
        }
        // The first answer, and the begin of the batch behind it.
        peer.fromStream.window = LONG + LENGTH;
        peer.settle();
        peer.fromStream.window = 0;
        recall(how);
        writeOn();

        assertThat(peer.side.sends.list).hasSize(2).allMatch(Wc::ok);
        assertThat(answered(LONG)).isEqualTo(DEPTH);
        assertThat(peer.side.stream.state()).isEqualTo(StreamState.ESTABLISHED);
    }
}
