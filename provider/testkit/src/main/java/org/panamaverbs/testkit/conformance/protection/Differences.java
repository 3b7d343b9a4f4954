package org.panamaverbs.testkit.conformance.protection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import org.panamaverbs.api.PostStatus;

/** Posts that told another fault than the first. */
final class Differences {
    private static final int MOST_SHOWN = 20;

    private final List<String> shown = new ArrayList<>();
    private int tried;
    private int found;

    /** Posts, unless there are no {@code faults}, and notes what was told if it was not the first of them. */
    void expect(Set<Told> faults, String what, IntSupplier post) {
        if (faults.isEmpty()) {
            return;
        }
        tried++;
        String expected = Collections.min(faults).answer();
        String told = told(post);
        if (!told.equals(expected)) {
            found++;
            if (found <= MOST_SHOWN) {
                shown.add(what + " told <" + told + ">, not the first of " + faults);
            }
        }
    }

    private static String told(IntSupplier post) {
        try {
            return PostStatus.text(post.getAsInt());
        } catch (RuntimeException e) {
            return Told.answer(e);
        }
    }

    /** Fails if there are any. */
    void expectNone() {
        assertThat(tried).isPositive();
        assertThat(shown).as("%d of %d", found, tried).isEmpty();
    }
}
