package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.core.memory.StagTable;

/** What a stream could not do because memory ended there is done when its end is repeated, and once. */
class RepeatedEndTest {
    private static final int RECEIVES = 5;

    private final RawPeer peer = new RawPeer(true);
    private final Side side = peer.side;

    private static void lose(Side which) {
        which.stream.lost(TerminateReason.PROVIDER_FAILURE, "a test");
    }

    private void postReceives() {
        side.receives(RECEIVES, 1, side.memory(8 * RECEIVES), 8);
    }

    private void assertEachFlushedOnce() {
        assertThat(side.receives.ids()).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(side.receives.list).allMatch(Wc::flushed);
        assertThat(side.stream.state()).isEqualTo(StreamState.CLOSED);
    }

    @Test
    void aReceiveWhoseCompletionFailsIsFlushed() {
        postReceives();
        side.receives.failsAfter = 0;
        assertThatThrownBy(() -> peer.inject(Segments.send(1))).isInstanceOf(OutOfMemoryError.class);

        lose(side);
        assertEachFlushedOnce();
    }

    /** Behind a first segment Sends are predicted, and completed together. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void receivesOfARunWhoseCompletionFailsAreFlushed(int messages) {
        postReceives();
        peer.inject(Segments.write(1, 0));
        side.receives.failsAfter = 0;
        byte[][] sends = new byte[messages][];
        for (int i = 0; i < messages; i++) {
            sends[i] = Segments.send(i + 1);
        }
        assertThatThrownBy(() -> peer.inject(sends)).isInstanceOf(OutOfMemoryError.class);

        lose(side);
        assertEachFlushedOnce();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void aFlushGoesOnWithTheReceiveItFailedAt(int before) {
        postReceives();
        peer.inject(Segments.untagged(Segments.SEND, 0, 0, 1, 0, false, (byte) 1));
        side.receives.failsAfter = before;
        assertThatThrownBy(() -> lose(side)).isInstanceOf(OutOfMemoryError.class);
        assertThat(side.receives.list).hasSize(before);

        lose(side);
        assertEachFlushedOnce();
    }

    @Test
    void aSendThatIsFlushedFailsOnce() {
        Guarded memory = side.memory(64);
        side.read(1, memory, 0, 8, memory, 8);
        side.read(2, memory, 0, 8, memory, 8);
        side.sends.failsAfter = 1;
        assertThatThrownBy(() -> lose(side)).isInstanceOf(OutOfMemoryError.class);

        lose(side);
        assertThat(side.sends.brief()).containsExactly("1 " + WcStatus.WR_FLUSH_ERROR, "2 " + WcStatus.WR_FLUSH_ERROR);
    }

    @ParameterizedTest
    @EnumSource(names = {"FATAL", "LAST_WQE_REACHED", "DISCONNECTED"})
    void anEventThatCouldNotBeToldIs(StreamEvent event) {
        Side shared = new Side(
                Side.config(0x44),
                new Pipe(),
                new Pipe(),
                new StagTable(64, Side.randomStags(5)),
                null,
                null,
                new ReceiveRing(8, 8),
                true);
        shared.stream.start(Pair.agreed(true), 0);
        shared.untold = event;
        assertThatThrownBy(() -> lose(shared)).isInstanceOf(OutOfMemoryError.class);

        lose(shared);
        assertThat(shared.events)
                .containsExactly(StreamEvent.FATAL, StreamEvent.LAST_WQE_REACHED, StreamEvent.DISCONNECTED);
        lose(shared);
        assertThat(shared.events).hasSize(3);
    }

    @Test
    void anAbortTellsOfTheFaultThatCouldNotBeTold() {
        side.untold = StreamEvent.FATAL;
        assertThatThrownBy(() -> lose(side)).isInstanceOf(OutOfMemoryError.class);

        side.stream.abort();
        assertThat(side.events).containsExactly(StreamEvent.FATAL, StreamEvent.DISCONNECTED);
    }
}
