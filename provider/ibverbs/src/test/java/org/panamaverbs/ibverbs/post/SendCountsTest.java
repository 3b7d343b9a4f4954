package org.panamaverbs.ibverbs.post;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.panamaverbs.ibverbs.completion.WorkCounts;

/** What is known of requests when their queue pair starts anew. */
class SendCountsTest {
    private final SendCounts counts = new SendCounts(new WorkCounts(8, false, true), false);

    @Test
    void requestsOfAnEarlierLifeHaveNotSucceeded() {
        counts.hand(true, 8);
        counts.taken(1);
        int life = counts.life();
        counts.startAnew(0);
        assertThat(counts.haveSucceeded(counts.signaled(), life)).isFalse();
        assertThat(counts.haveSucceeded(counts.signaled(), counts.life())).isTrue();
    }

    @Test
    void unsignaledRequestIsNoLastOneOfALaterLife() {
        counts.hand(false, 8);
        counts.taken(1);
        assertThat(counts.endsSignaled()).isFalse();
        counts.startAnew(0);
        assertThat(counts.endsSignaled()).as("nothing was posted since").isTrue();
        counts.hand(false, 8);
        counts.taken(1);
        assertThat(counts.endsSignaled()).isFalse();
    }
}
