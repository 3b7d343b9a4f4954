package org.panamaverbs.examples.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Verbs;

/** What the publisher keeps to repeat it. */
@Timeout(60)
class RepeatsTest {
    @Test
    void theHistoryHasTheLastUpdatesAndNoOthers() {
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var memory = domain.allocate(History.BYTES)) {
            History history = new History(memory);
            MemorySegment copy = MemorySegment.ofArray(new byte[RequestLayout.MOST * UpdateLayout.BYTES]);
            assertThat(history.count(0, RequestLayout.MOST)).isZero();
            for (int i = 0; i < History.SLOTS + 3; i++) {
                history.add(1_000 + i);
            }

            assertThat(history.count(2, RequestLayout.MOST)).isZero();
            assertThat(history.count(3, RequestLayout.MOST)).isEqualTo(RequestLayout.MOST);
            history.copy(3, RequestLayout.MOST, copy, 0);
            assertThat(UpdateLayout.number(copy, 0)).isEqualTo(3);
            assertThat(UpdateLayout.price(copy, 0)).isEqualTo(1_003);
            // Around the end of the memory, and up to the last one.
            assertThat(history.count(History.SLOTS - 2, RequestLayout.MOST)).isEqualTo(5);
            history.copy(History.SLOTS - 2, 5, copy, 0);
            assertThat(UpdateLayout.number(copy, 4L * UpdateLayout.BYTES)).isEqualTo(History.SLOTS + 2);
            assertThat(history.count(History.SLOTS + 3, RequestLayout.MOST)).isZero();
        }
    }
}
