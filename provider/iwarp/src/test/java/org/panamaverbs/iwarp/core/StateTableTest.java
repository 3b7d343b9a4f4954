package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.core.work.RequestState;
import org.panamaverbs.iwarp.core.work.SendRing;
import org.panamaverbs.iwarp.core.work.StreamState;

/** Every state with every event, of streams and of work requests, against the tables in {@code core/*-states.txt}. */
class StateTableTest {
    @Test
    void streamsMatchTheCommittedTable() throws IOException {
        assertThat(table(StreamState.values(), StreamState.Event.values(), StreamState::after))
                .isEqualTo(committed("/core/stream-states.txt"));
    }

    @Test
    void workRequestsMatchTheCommittedTable() throws IOException {
        assertThat(table(RequestState.values(), RequestState.Event.values(), RequestState::after))
                .isEqualTo(committed("/core/request-states.txt"));
    }

    private static String committed(String resource) throws IOException {
        try (InputStream stream = StateTableTest.class.getResourceAsStream(resource)) {
            assertThat(stream).as("test resource " + resource).isNotNull();
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
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

    private static <S extends Enum<S>, E extends Enum<E>> String table(
            S[] states, E[] events, BiFunction<S, E, @Nullable S> after) {
        StringBuilder text = new StringBuilder("# state after event; - cannot happen\n");
        text.append("%-20s".formatted(""));
        for (S state : states) {
            text.append("%-13s".formatted(name(state)));
        }
        newLine(text);
        for (E event : events) {
            text.append("%-20s".formatted(name(event)));
            for (S state : states) {
                S next = after.apply(state, event);
                text.append("%-13s".formatted(next == null ? "-" : name(next)));
            }
            newLine(text);
        }
        return text.toString();
    }

    private static void newLine(StringBuilder text) {
        text.setLength(text.toString().stripTrailing().length());
        text.append('\n');
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
