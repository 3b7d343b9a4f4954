package org.panamaverbs.ibverbs.zoo;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.conformance.operation.AtomicsConformance;
import org.panamaverbs.testkit.conformance.operation.ImmediateConformance;
import org.panamaverbs.testkit.conformance.operation.SendReceiveConformance;
import org.panamaverbs.testkit.conformance.protection.CapabilitiesConformance;
import org.panamaverbs.testkit.conformance.protection.MemoryWindowsConformance;
import org.panamaverbs.testkit.conformance.protection.PostErrorsConformance;
import org.panamaverbs.testkit.conformance.protection.RemoteProtectionConformance;
import org.panamaverbs.testkit.conformance.queue.SharedReceiveQueueConformance;

/** A sample of {@link AdaptersOverZooTest}: an adapter with everything, and one that lacks most. */
@ExtendWith(LeftOut.class)
class SampleOverZooTest {
    @Nested
    @RunsOn(Zoo.Mlx5.class)
    class Mlx5 {
        @Nested
        class SendReceive extends SendReceiveConformance {}

        @Nested
        class Immediate extends ImmediateConformance {}

        @Nested
        class SharedReceiveQueues extends SharedReceiveQueueConformance {}

        @Nested
        class Atomics extends AtomicsConformance {}

        @Nested
        class MemoryWindows extends MemoryWindowsConformance {}

        @Nested
        class Capabilities extends CapabilitiesConformance {}

        @Nested
        class RemoteProtection extends RemoteProtectionConformance {}

        @Nested
        class PostErrors extends PostErrorsConformance {}
    }

    @Nested
    @RunsOn(Zoo.Erdma.class)
    class Erdma {
        @Nested
        class SendReceive extends SendReceiveConformance {}

        @Nested
        class Capabilities extends CapabilitiesConformance {}

        @Nested
        class PostErrors extends PostErrorsConformance {}
    }
}
