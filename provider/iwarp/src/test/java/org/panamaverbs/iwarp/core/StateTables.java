package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Tables of every state with every event, printed to be compared with committed ones. */
public final class StateTables {
    private StateTables() {}

    /** Returns the committed table {@code resource} of the tests. */
    public static String committed(String resource) throws IOException {
        try (InputStream stream = StateTables.class.getResourceAsStream(resource)) {
            assertThat(stream).as("test resource " + resource).isNotNull();
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Returns the table of what comes {@code after} each event in each state. */
    public static <S extends Enum<S>, E extends Enum<E>> String of(
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
