package org.panamaverbs.testkit.conformance.protection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Link;

/** What a requester sees when the responder refuses its request. */
final class Refusals {
    /** The statuses that verbs allow; the queue pair's failure may come before the request's own. */
    private static final Set<WcStatus> STATUSES = EnumSet.of(
            WcStatus.REMOTE_ACCESS_ERROR,
            WcStatus.REMOTE_OPERATION_ERROR,
            WcStatus.REMOTE_INVALID_REQUEST,
            WcStatus.WR_FLUSH_ERROR,
            WcStatus.FATAL_ERROR);

    private Refusals() {}

    /**
     * Waits until the pair's first connection is down; otherwise as {@link #expectRefused(ConnectedPair, Link,
     * OneSided, String...)}.
     */
    static void expectRefused(ConnectedPair pair, OneSided operation, String... codes) {
        expectRefused(pair, pair.link(), operation, codes);
    }

    /**
     * Waits until {@code link} is down, takes the one completion of the last request, which must be an error, and
     * checks the Terminate. A Write or Send may have completed before the refusal came, without
     * {@link Guarantee#COMPLETION_MEANS_ARRIVAL}.
     */
    static void expectRefused(ConnectedPair pair, Link link, OneSided operation, String... codes) {
        pair.awaitDown(link);
        Completion completion = pair.a().inbox().take();
        boolean maySucceed = !pair.a().keeps(Guarantee.COMPLETION_MEANS_ARRIVAL)
                && (operation == OneSided.WRITE || operation == OneSided.SEND);
        if (!pair.a().keeps(Guarantee.ERROR_STATUSES)) {
            assertThat(maySucceed || !completion.ok()).as("%s", completion).isTrue();
        } else if (!maySucceed || !completion.ok()) {
            assertThat(STATUSES).as("%s", completion).contains(completion.status());
        }
        assertThat(completion.qpNumber()).isEqualTo(link.qpA().number());
        pair.expectTerminate(link, codes);
    }

    /** Checks that B refuses the Send with Invalidate posted over {@code link}, and takes the completions of both. */
    static void expectInvalidateRefused(ConnectedPair pair, Link link) {
        if (!pair.b().keeps(Guarantee.REFUSED_INVALIDATE_ENDS)) {
            assertThat(pair.a().inbox().take().qpNumber()).isEqualTo(link.qpA().number());
        } else if (pair.a().keeps(Guarantee.REFUSAL_ENDS_BOTH)) {
            expectRefused(pair, link, OneSided.SEND, "0/1/09", "0/2/09");
        } else {
            // InfiniBand volume 1 section 9.9.3: class J, the responder fails without an answer; the message may have
            // been acknowledged before.
            pair.poller().await("B's end is down", () -> ConnectedPair.isDown(link.b()));
            assertThat(pair.a().inbox().take().qpNumber()).isEqualTo(link.qpA().number());
        }
        assertThat(pair.b().inbox().take().ok()).isFalse();
    }
}
