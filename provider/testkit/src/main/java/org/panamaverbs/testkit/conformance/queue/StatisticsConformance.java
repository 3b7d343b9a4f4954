package org.panamaverbs.testkit.conformance.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceStatistics;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;

/** What queue pairs and devices count, by the same names on every provider. */
public abstract class StatisticsConformance extends Conformance {
    private static final int SIZE = 100;

    /** For subclasses. */
    protected StatisticsConformance() {}

    private ConnectedPair counted() {
        ConnectedPair pair = pair();
        requires(pair.a().verbs(), Feature.STATISTICS);
        requires(pair.b().verbs(), Feature.STATISTICS);
        return pair;
    }

    private static void send(ConnectedPair pair, int flags) {
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, SIZE));
        accepted(pair.qpA().send(2, pair.a().buffer(), 0, SIZE, flags));
        pair.b().inbox().takeOk(1);
    }

    @Test
    void whatIsDoneIsCountedSignaledOrNot() {
        ConnectedPair pair = counted();
        QueuePairStatistics before = pair.qpA().statistics();
        QueuePairStatistics peerBefore = pair.qpB().statistics();
        send(pair, NONE);
        send(pair, NONE);
        send(pair, SIGNALED);
        pair.a().inbox().takeOk(2);

        QueuePairStatistics now = pair.qpA().statistics();
        QueuePairStatistics peer = pair.qpB().statistics();
        grewBy3(before.sendsPosted(), now.sendsPosted());
        grewBy3(before.sendsCompleted(), now.sendsCompleted());
        assertThat(now.sendsOutstanding()).isLessThanOrEqualTo(0);
        grewBy3(peerBefore.receivesPosted(), peer.receivesPosted());
        grewBy3(peerBefore.receivesCompleted(), peer.receivesCompleted());
    }

    // A provider may know less than others; what it tells is right.
    private static void grewBy3(long before, long now) {
        if (now == QueuePairStatistics.UNKNOWN) {
            assertThat(before).isEqualTo(now);
        } else {
            assertThat(now - before).isEqualTo(3);
        }
    }

    @Test
    void octetsAreAtLeastThePayloadWhereTheyAreKnown() {
        ConnectedPair pair = counted();
        send(pair, SIGNALED);
        pair.a().inbox().takeOk(2);

        QueuePairStatistics sent = pair.qpA().statistics();
        QueuePairStatistics received = pair.qpB().statistics();
        if (sent.bytesSent() != QueuePairStatistics.UNKNOWN) {
            assertThat(sent.bytesSent()).isGreaterThanOrEqualTo(SIZE);
        }
        if (received.bytesReceived() != QueuePairStatistics.UNKNOWN) {
            assertThat(received.bytesReceived()).isGreaterThanOrEqualTo(SIZE);
        }
    }

    @Test
    void aConnectionNamesItsPeerAndWhatCarriesIt() {
        ConnectedPair pair = counted();
        QueuePairStatistics now = pair.qpA().statistics();
        InetSocketAddress peer = pair.link().a().remoteAddress();

        assertThat(now.number()).isEqualTo(pair.qpA().number());
        assertThat(now.state()).isEqualTo("RTS");
        assertThat(now.peer()).endsWith(":" + peer.getPort());
        assertThat(now.carrier()).isEqualTo(pair.link().a().carrier().name());
        assertThat(now.transport()).isEqualTo(pair.link().a().transport());
    }

    @Test
    void theDeviceSumsUpAndCountsItsPolls() {
        ConnectedPair pair = counted();
        DeviceStatistics before = pair.a().verbs().statistics();
        send(pair, SIGNALED);
        pair.a().inbox().takeOk(2);

        DeviceStatistics now = pair.a().verbs().statistics();
        assertThat(now.provider()).isEqualTo(pair.a().verbs().provider());
        assertThat(now.connections()).isPositive();
        assertThat(now.sendsPosted()).isGreaterThan(before.sendsPosted());
        assertThat(now.polls()).isGreaterThan(before.polls());
        assertThat(now.emptyPolls()).isBetween(before.emptyPolls(), now.polls());
    }
}
