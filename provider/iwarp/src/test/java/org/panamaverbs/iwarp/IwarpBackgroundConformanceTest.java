package org.panamaverbs.iwarp;

import org.junit.jupiter.api.Nested;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.AllocationConformance;
import org.panamaverbs.testkit.conformance.AtomicContentionConformance;
import org.panamaverbs.testkit.conformance.AtomicsConformance;
import org.panamaverbs.testkit.conformance.BatchConformance;
import org.panamaverbs.testkit.conformance.CapabilitiesConformance;
import org.panamaverbs.testkit.conformance.CompletionChannelConformance;
import org.panamaverbs.testkit.conformance.CompletionQueueConformance;
import org.panamaverbs.testkit.conformance.ConnectionSetupConformance;
import org.panamaverbs.testkit.conformance.DisconnectConformance;
import org.panamaverbs.testkit.conformance.EmulatedAtomicsConformance;
import org.panamaverbs.testkit.conformance.EmulatedContentionConformance;
import org.panamaverbs.testkit.conformance.ImmediateConformance;
import org.panamaverbs.testkit.conformance.InvalidateConformance;
import org.panamaverbs.testkit.conformance.LifetimeConformance;
import org.panamaverbs.testkit.conformance.ListenerConformance;
import org.panamaverbs.testkit.conformance.LocalProtectionConformance;
import org.panamaverbs.testkit.conformance.MemoryWindowsConformance;
import org.panamaverbs.testkit.conformance.PostErrorsConformance;
import org.panamaverbs.testkit.conformance.PrivateDataConformance;
import org.panamaverbs.testkit.conformance.ProgressConformance;
import org.panamaverbs.testkit.conformance.RandomOperationsConformance;
import org.panamaverbs.testkit.conformance.RdmaReadConformance;
import org.panamaverbs.testkit.conformance.RdmaWriteConformance;
import org.panamaverbs.testkit.conformance.ReceiveErrorsConformance;
import org.panamaverbs.testkit.conformance.RemoteProtectionConformance;
import org.panamaverbs.testkit.conformance.RequesterChecksConformance;
import org.panamaverbs.testkit.conformance.SendReceiveConformance;
import org.panamaverbs.testkit.conformance.SendVariantsConformance;
import org.panamaverbs.testkit.conformance.SharedReceiveQueueConformance;

/** The conformance suite on iwarp with a thread of its own for progress. */
@RunsOn(Iwarp.Background.class)
class IwarpBackgroundConformanceTest {
    @Nested
    class SendReceive extends SendReceiveConformance {}

    @Nested
    class SendVariants extends SendVariantsConformance {}

    @Nested
    class ReceiveErrors extends ReceiveErrorsConformance {}

    @Nested
    class RdmaWrite extends RdmaWriteConformance {}

    @Nested
    class RdmaRead extends RdmaReadConformance {}

    @Nested
    class Immediate extends ImmediateConformance {}

    @Nested
    class Atomics extends AtomicsConformance {}

    @Nested
    class AtomicContention extends AtomicContentionConformance {}

    @Nested
    class EmulatedAtomics extends EmulatedAtomicsConformance {}

    @Nested
    class EmulatedContention extends EmulatedContentionConformance {}

    @Nested
    class SharedReceiveQueue extends SharedReceiveQueueConformance {}

    @Nested
    class MemoryWindows extends MemoryWindowsConformance {}

    @Nested
    class Invalidate extends InvalidateConformance {}

    @Nested
    class RemoteProtection extends RemoteProtectionConformance {}

    @Nested
    class LocalProtection extends LocalProtectionConformance {}

    @Nested
    class RequesterChecks extends RequesterChecksConformance {}

    @Nested
    class Disconnect extends DisconnectConformance {}

    @Nested
    class ConnectionSetup extends ConnectionSetupConformance {}

    @Nested
    class PrivateData extends PrivateDataConformance {}

    @Nested
    class Listener extends ListenerConformance {}

    @Nested
    class CompletionQueue extends CompletionQueueConformance {}

    @Nested
    class CompletionChannel extends CompletionChannelConformance {}

    @Nested
    class Lifetime extends LifetimeConformance {}

    @Nested
    class Capabilities extends CapabilitiesConformance {}

    @Nested
    class Progress extends ProgressConformance {}

    @Nested
    class PostErrors extends PostErrorsConformance {}

    @Nested
    class Batch extends BatchConformance {}

    @Nested
    class Allocation extends AllocationConformance {}

    @Nested
    class RandomOperations extends RandomOperationsConformance {}
}
