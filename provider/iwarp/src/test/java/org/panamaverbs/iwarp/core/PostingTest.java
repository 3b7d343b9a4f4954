package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;

/** What posting refuses on a connected stream. */
class PostingTest {
    private final Pair pair = new Pair().start();
    private final SendCommands sends = pair.a.stream.sends();

    @Test
    void refusesAFormThatDoesNotFitTheOperation() {
        assertThat(sends.post(SendOpcode.FETCH_ADD, 1, 0, 8, 0, 0, 0, 0, 0)).isEqualTo(PostStatus.INVALID);
        assertThat(sends.post(SendOpcode.BIND_WINDOW, 1, 0, 8, 0, 0, 0, 0, 0)).isEqualTo(PostStatus.INVALID);
        assertThat(sends.postAtomic(SendOpcode.SEND, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0))
                .isEqualTo(PostStatus.INVALID);
        assertThat(pair.a.stream.idle()).isTrue();
    }

    @Test
    void refusesUnknownFlagsAndNegativeLengths() {
        assertThat(sends.post(SendOpcode.SEND, 1, 0, 0, 0, 0, 0, 0, 1 << 10)).isEqualTo(PostStatus.INVALID);
        assertThat(sends.post(SendOpcode.SEND, 1, 0, -1, 0, 0, 0, 0, SendFlag.SIGNALED))
                .isEqualTo(PostStatus.INVALID);
        assertThat(sends.post(SendOpcode.SEND, 1, 0, 1L << 32, 0, 0, 0, 0, SendFlag.SIGNALED))
                .isEqualTo(PostStatus.MESSAGE_TOO_LONG);
        assertThat(pair.a.stream.idle()).isTrue();
    }
}
