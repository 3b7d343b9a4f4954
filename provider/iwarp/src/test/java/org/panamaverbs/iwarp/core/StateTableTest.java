package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.WcStatus;

/** Every state with every event, of streams and of work requests, against the tables in {@code core/*-states.txt}. */
class StateTableTest {
    @Test
    void streamsMatchTheCommittedTable() throws IOException {
        assertThat(StateTables.of(StreamState.values(), StreamState.Event.values(), StreamState::after))
                .isEqualTo(StateTables.committed("/core/stream-states.txt"));
    }

    @Test
    void workRequestsMatchTheCommittedTable() throws IOException {
        assertThat(StateTables.of(RequestState.values(), RequestState.Event.values(), RequestState::after))
                .isEqualTo(StateTables.committed("/core/request-states.txt"));
    }

    @Test
    void nothingElseHappensToAWorkRequest() {
        SendRing ring = new SendRing(2, 1, 0, Arena.ofAuto());
        assertThatThrownBy(() -> ring.done(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("FINISH", "POSTED");
        ring.sent(0);
        ring.done(0);
        assertThatThrownBy(() -> ring.fail(0, WcStatus.RETRY_EXCEEDED, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("FAIL", "DONE");
    }

    @ParameterizedTest
    @EnumSource
    void nothingLeavesClosed(StreamState.Event event) {
        assertThat(StreamState.CLOSED.after(event)).isIn(null, StreamState.CLOSED);
    }

    @ParameterizedTest
    @EnumSource
    void abortAndLossEndEveryState(StreamState state) {
        assertThat(state.after(StreamState.Event.ABORT)).isEqualTo(StreamState.CLOSED);
        assertThat(state.after(StreamState.Event.LOST)).isEqualTo(StreamState.CLOSED);
    }
}
