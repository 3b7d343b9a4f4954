package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every state with every event, against the table in {@code core/stream-states.txt}. */
class StateTableTest {
    @Test
    void matchesTheCommittedTable() throws IOException {
        try (InputStream stream = StateTableTest.class.getResourceAsStream("/core/stream-states.txt")) {
            assertThat(stream).as("test resource core/stream-states.txt").isNotNull();
            assertThat(table()).isEqualTo(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        }
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

    private static String table() {
        StringBuilder text = new StringBuilder("# state after event; - cannot happen\n");
        text.append("%-20s".formatted(""));
        for (StreamState state : StreamState.values()) {
            text.append("%-13s".formatted(name(state)));
        }
        newLine(text);
        for (StreamState.Event event : StreamState.Event.values()) {
            text.append("%-20s".formatted(name(event)));
            for (StreamState state : StreamState.values()) {
                StreamState next = state.after(event);
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
