package org.panamaverbs.iwarp.engine.cm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.iwarp.core.StateTables;

/** Every phase of a set-up with every event, against the table in {@code engine/setup-phases.txt}. */
class SetupPhaseTest {
    @Test
    void matchesTheCommittedTable() throws IOException {
        assertThat(StateTables.of(SetupPhase.values(), SetupPhase.Event.values(), SetupPhase::after))
                .isEqualTo(StateTables.committed("/engine/setup-phases.txt"));
    }

    @ParameterizedTest
    @EnumSource
    void everyPhaseCanFail(SetupPhase phase) {
        assertThat(phase.after(SetupPhase.Event.FAILED)).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void nothingLeavesTheEnd(SetupPhase.Event event) {
        assertThat(SetupPhase.OVER.after(event)).isIn(null, SetupPhase.OVER);
        assertThat(SetupPhase.HANDED_OVER.after(event)).isIn(null, SetupPhase.HANDED_OVER);
    }
}
