package org.panamaverbs.iwarp.core;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.testkit.Requirement;

/** How much a table of STags takes. */
class StagTableTest {
    private static final int MOST = 3;

    // RFC 5042 §6.4.1, RFC 5040 §8.1.2: entries are scarce, and the manager of the context gives them out.
    @Test
    @Requirement({"SEC-6.4.1-01", "DDP-8.3.2-01"})
    void registrationsAndWindowsShareTheLimit() {
        StagTable table = new StagTable(MOST, Side.randomStags(1));
        MemorySegment memory = MemorySegment.ofArray(new byte[8]);
        Region registration = requireNonNull(table.enable(memory, 0, 0, 1));
        Region window = requireNonNull(table.reserve(1));
        assertThat(table.enable(memory, 0, 0, 2)).isNotNull();
        assertThat(table.enable(memory, 0, 0, 1)).isNull();
        assertThat(table.reserve(2)).isNull();
        assertThat(table.size()).isEqualTo(MOST);

        table.remove(window);
        table.remove(registration);
        assertThat(table.reserve(1)).isNotNull();
        assertThat(table.enable(memory, 0, 0, 1)).isNotNull();
        assertThat(table.reserve(1)).isNull();
    }
}
