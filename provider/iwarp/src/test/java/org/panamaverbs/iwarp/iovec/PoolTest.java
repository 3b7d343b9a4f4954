package org.panamaverbs.iwarp.iovec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is lent for a moment comes back. */
class PoolTest {
    private static final int MOST = 8;

    private static final class Thing extends Pooled {}

    private final Pool<Thing> lending = new Pool<>(MOST, Thing::new);

    private List<Thing> takeAll() {
        List<Thing> taken = new ArrayList<>();
        for (Thing next = lending.take(); next != null; next = lending.take()) {
            taken.add(next);
        }
        return taken;
    }

    @Test
    void lendsAsManyAsItMayAndEachToOne() {
        List<Thing> taken = takeAll();

        assertThat(taken).hasSize(MOST).doesNotHaveDuplicates();
        assertThat(lending.made()).isEqualTo(MOST);
        taken.get(3).giveBack();
        assertThat(lending.take()).isSameAs(taken.get(3));
    }
}
