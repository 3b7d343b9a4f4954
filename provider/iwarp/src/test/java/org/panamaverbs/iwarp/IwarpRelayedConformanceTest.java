package org.panamaverbs.iwarp;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.connection.DisconnectPromiseConformance;
import org.panamaverbs.testkit.conformance.operation.AtomicsConformance;
import org.panamaverbs.testkit.conformance.operation.ImmediateConformance;
import org.panamaverbs.testkit.conformance.operation.RdmaReadConformance;
import org.panamaverbs.testkit.conformance.operation.RdmaWriteConformance;
import org.panamaverbs.testkit.conformance.operation.SendReceiveConformance;
import org.panamaverbs.testkit.conformance.order.OrderingConformance;
import org.panamaverbs.testkit.conformance.order.RandomOperationsConformance;

/**
 * The suite's classes about data, order and what arrives before the end, over a network that holds bytes back as it
 * likes: they must not take for granted what only a quick network makes so.
 */
@Tag("proof")
@RunsOn(value = Iwarp.Relayed.class, carrierOnly = true)
class IwarpRelayedConformanceTest {
    @Nested
    class Ordering extends OrderingConformance {}

    @Nested
    class SendReceive extends SendReceiveConformance {}

    @Nested
    class RdmaWrite extends RdmaWriteConformance {}

    @Nested
    class RdmaRead extends RdmaReadConformance {}

    @Nested
    class Immediate extends ImmediateConformance {}

    @Nested
    class Atomics extends AtomicsConformance {}

    @Nested
    class DisconnectPromise extends DisconnectPromiseConformance {}

    @Nested
    class RandomOperations extends RandomOperationsConformance {}
}
