package org.panamaverbs.testkit.conformance.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.GuardedBuffer;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.random.Patterns;

/** Messages that the receiver has no room for. */
public abstract class ReceiveErrorsConformance extends Conformance {
    /** For subclasses. */
    protected ReceiveErrorsConformance() {}

    @Test
    @Requirement({"RDMAP-5.3-04", "RDMAP-5.3-07", "RDMAP-3.2-03", "DDP-7.1-U4-01", "DDP-7.1-01"})
    void messageLongerThanReceiveFailsBothSides() {
        tooLong(65, 64);
    }

    @Test
    @Requirement({"RDMAP-5.3-04", "DDP-7.1-U3-01", "DDP-7.1-U4-01"})
    void messageOfManySegmentsLongerThanReceiveFailsBothSides() {
        tooLong(60_000, 20_000);
    }

    @Test
    @Requirement({"DDP-7.1-U2-01", "RDMAP-5.3-07"})
    void messageWithoutReceiveFailsTheConnection() {
        withoutReceive(16);
    }

    @Test
    @Requirement({"DDP-7.1-U0-01", "RDMAP-5.3-11"})
    void emptyMessageWithoutReceiveFailsTheConnection() {
        withoutReceive(0);
    }

    @Test
    @Requirement("RDMAP-6.2.1-02")
    void receivesBehindTheFailedOneAreFlushedInOrder() {
        ConnectedPair pair = pair();
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 4));
        accepted(pair.qpB().recv(2, pair.b().buffer(), 0, 64));
        accepted(pair.qpB().recv(3, pair.b().buffer(), 0, 64));
        accepted(pair.qpA().send(4, pair.a().buffer(), 0, 64, SIGNALED));
        pair.awaitDown();

        assertThat(pair.b().inbox().take().wrId()).isEqualTo(1);
        for (long wrId = 2; wrId <= 3; wrId++) {
            Completion flushed = pair.b().inbox().take();
            assertThat(flushed.wrId()).isEqualTo(wrId);
            assertThat(flushed.status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
        }
    }

    private void tooLong(int sent, int room) {
        ConnectedPair pair = pair();
        GuardedBuffer sink = guarded(pair.b(), room, Access.LOCAL_WRITE);
        pair.a().put(0, Patterns.bytes(5, sent));
        accepted(pair.qpB().recv(1, sink.buffer()));
        accepted(pair.qpA().send(2, pair.a().buffer(), 0, sent, SIGNALED));
        pair.awaitDown();

        Completion received = pair.b().inbox().take();
        assertThat(received.wrId()).isEqualTo(1);
        if (pair.b().keeps(Guarantee.ERROR_STATUSES)) {
            assertThat(received.status()).isIn(WcStatus.LOCAL_LENGTH_ERROR, WcStatus.WR_FLUSH_ERROR);
        } else {
            assertThat(received.ok()).isFalse();
        }
        expectFailedOrSent(pair.a(), pair.a().inbox().take());
        pair.expectTerminate("1/2/05", "1/2/02");
        sink.expectGuardsIntact();
    }

    private void withoutReceive(int length) {
        ConnectedPair pair = pair(Feature.NO_RECEIVER_RETRY);
        accepted(pair.qpA().send(1, pair.a().buffer(), 0, length, SIGNALED));
        pair.awaitDown();

        expectFailedOrSent(pair.a(), pair.a().inbox().take());
        pair.expectTerminate("1/2/02");
        pair.b().inbox().expectNothing();
    }

    // RFC 5040 section 5.5, item 9: the local completion of a Send says nothing about its receipt, on iWARP.
    private static void expectFailedOrSent(Endpoint requester, Completion sent) {
        if (!requester.keeps(Guarantee.ERROR_STATUSES)) {
            assertThat(sent.ok() && requester.keeps(Guarantee.COMPLETION_MEANS_ARRIVAL))
                    .as("%s", sent)
                    .isFalse();
        } else if (requester.keeps(Guarantee.COMPLETION_MEANS_ARRIVAL)) {
            assertThat(sent.status()).isEqualTo(WcStatus.REMOTE_INVALID_REQUEST);
        } else if (!sent.ok()) {
            assertThat(sent.status())
                    .isIn(
                            WcStatus.WR_FLUSH_ERROR,
                            WcStatus.REMOTE_INVALID_REQUEST,
                            WcStatus.REMOTE_OPERATION_ERROR,
                            WcStatus.FATAL_ERROR);
        }
    }
}
