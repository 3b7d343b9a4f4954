package org.panamaverbs.iwarp.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.testkit.faults.StackEnd;

/** What is lent for a moment comes back. */
class LendingTest {
    private static final int MOST = 8;

    private static final class Thing extends Lent {}

    private final Lending<Thing> lending = new Lending<>(MOST, Thing::new);

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
        taken.get(3).lent = false;
        assertThat(lending.take()).isSameAs(taken.get(3));
    }

    @Test
    void nothingStaysLentWhereTheStackEnds() throws Exception {
        StackEnd.Outcome outcome = StackEnd.each(this::borrow);

        assertThat(outcome.overflows()).isPositive();
        assertThat(takeAll()).hasSize(MOST);
    }

    private void borrow() {
        for (int i = 0; i < MOST; i++) {
            Thing thing = lending.take();
            if (thing == null) {
                throw new AssertionError("one stays lent");
            }
            try {
                dive(i);
            } finally {
                thing.lent = false;
            }
        }
    }

    private static int dive(int depth) {
        return depth == 0 ? 0 : 1 + dive(depth - 1);
    }
}
