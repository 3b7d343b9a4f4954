package org.panamaverbs.testkit.conformance;

import org.junit.jupiter.api.Nested;
import org.panamaverbs.testkit.conformance.connection.ConnectOutOfBandConformance;
import org.panamaverbs.testkit.conformance.connection.ConnectionSetupConformance;
import org.panamaverbs.testkit.conformance.connection.DatagramBatchConformance;
import org.panamaverbs.testkit.conformance.connection.DatagramRepliesConformance;
import org.panamaverbs.testkit.conformance.connection.DatagramsConformance;
import org.panamaverbs.testkit.conformance.connection.DisconnectConformance;
import org.panamaverbs.testkit.conformance.connection.DisconnectPromiseConformance;
import org.panamaverbs.testkit.conformance.connection.InterruptConformance;
import org.panamaverbs.testkit.conformance.connection.LifetimeConformance;
import org.panamaverbs.testkit.conformance.connection.ListenerConformance;
import org.panamaverbs.testkit.conformance.connection.MulticastConformance;
import org.panamaverbs.testkit.conformance.connection.MulticastFeedConformance;
import org.panamaverbs.testkit.conformance.connection.OutOfBandConformance;
import org.panamaverbs.testkit.conformance.connection.PortConformance;
import org.panamaverbs.testkit.conformance.connection.PrivateDataConformance;
import org.panamaverbs.testkit.conformance.connection.RecoveryConformance;
import org.panamaverbs.testkit.conformance.connection.RetryTimesConformance;
import org.panamaverbs.testkit.conformance.event.EventQueueConformance;
import org.panamaverbs.testkit.conformance.event.PendingConnectionConformance;
import org.panamaverbs.testkit.conformance.operation.AtomicContentionConformance;
import org.panamaverbs.testkit.conformance.operation.AtomicsConformance;
import org.panamaverbs.testkit.conformance.operation.BatchConformance;
import org.panamaverbs.testkit.conformance.operation.EmulatedAtomicsConformance;
import org.panamaverbs.testkit.conformance.operation.EmulatedContentionConformance;
import org.panamaverbs.testkit.conformance.operation.ExtendedSendsConformance;
import org.panamaverbs.testkit.conformance.operation.ImmediateConformance;
import org.panamaverbs.testkit.conformance.operation.LongTransferConformance;
import org.panamaverbs.testkit.conformance.operation.RdmaReadConformance;
import org.panamaverbs.testkit.conformance.operation.RdmaWriteConformance;
import org.panamaverbs.testkit.conformance.operation.SendReceiveConformance;
import org.panamaverbs.testkit.conformance.operation.SendVariantsConformance;
import org.panamaverbs.testkit.conformance.operation.SwapConformance;
import org.panamaverbs.testkit.conformance.operation.WorkRequestConformance;
import org.panamaverbs.testkit.conformance.order.OrderingConformance;
import org.panamaverbs.testkit.conformance.order.RandomOperationsConformance;
import org.panamaverbs.testkit.conformance.protection.CapabilitiesConformance;
import org.panamaverbs.testkit.conformance.protection.FaultOrderConformance;
import org.panamaverbs.testkit.conformance.protection.InvalidateConformance;
import org.panamaverbs.testkit.conformance.protection.LocalProtectionConformance;
import org.panamaverbs.testkit.conformance.protection.MemoryWindowsConformance;
import org.panamaverbs.testkit.conformance.protection.PostErrorsConformance;
import org.panamaverbs.testkit.conformance.protection.ReceiveErrorsConformance;
import org.panamaverbs.testkit.conformance.protection.RegistrationConformance;
import org.panamaverbs.testkit.conformance.protection.RemoteProtectionConformance;
import org.panamaverbs.testkit.conformance.protection.RequesterChecksConformance;
import org.panamaverbs.testkit.conformance.queue.AllocationConformance;
import org.panamaverbs.testkit.conformance.queue.AttachmentConformance;
import org.panamaverbs.testkit.conformance.queue.CompletionChannelConformance;
import org.panamaverbs.testkit.conformance.queue.CompletionQueueConformance;
import org.panamaverbs.testkit.conformance.queue.CompletionWaitConformance;
import org.panamaverbs.testkit.conformance.queue.ExtendedQueueConformance;
import org.panamaverbs.testkit.conformance.queue.ProgressConformance;
import org.panamaverbs.testkit.conformance.queue.ReceiveListConformance;
import org.panamaverbs.testkit.conformance.queue.RequestWaitConformance;
import org.panamaverbs.testkit.conformance.queue.SharedReceiveQueueConformance;
import org.panamaverbs.testkit.conformance.queue.StatisticsConformance;

/**
 * The whole suite. A provider that extends it runs every conformance class, also those that come later:
 *
 * <pre>{@code
 * @RunsOn(MyProvider.class)
 * class MyConformanceTest extends ConformanceSuite {}
 * }</pre>
 */
public abstract class ConformanceSuite {
    /** For subclasses. */
    protected ConformanceSuite() {}

    @Nested
    class SendReceive extends SendReceiveConformance {}

    @Nested
    class SendVariants extends SendVariantsConformance {}

    @Nested
    class WorkRequests extends WorkRequestConformance {}

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
    class Swap extends SwapConformance {}

    @Nested
    class EmulatedAtomics extends EmulatedAtomicsConformance {}

    @Nested
    class EmulatedContention extends EmulatedContentionConformance {}

    @Nested
    class LongTransfer extends LongTransferConformance {}

    @Nested
    class Ordering extends OrderingConformance {}

    @Nested
    class SharedReceiveQueue extends SharedReceiveQueueConformance {}

    @Nested
    class ReceiveList extends ReceiveListConformance {}

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
    class Interrupt extends InterruptConformance {}

    @Nested
    class Disconnect extends DisconnectConformance {}

    @Nested
    class DisconnectPromise extends DisconnectPromiseConformance {}

    @Nested
    class ConnectionSetup extends ConnectionSetupConformance {}

    @Nested
    class Recovery extends RecoveryConformance {}

    @Nested
    class RetryTimes extends RetryTimesConformance {}

    @Nested
    class PrivateData extends PrivateDataConformance {}

    @Nested
    class Listener extends ListenerConformance {}

    @Nested
    class EventQueue extends EventQueueConformance {}

    @Nested
    class PendingConnection extends PendingConnectionConformance {}

    @Nested
    class CompletionQueue extends CompletionQueueConformance {}

    @Nested
    class Statistics extends StatisticsConformance {}

    @Nested
    class CompletionChannel extends CompletionChannelConformance {}

    @Nested
    class CompletionWait extends CompletionWaitConformance {}

    @Nested
    class RequestWait extends RequestWaitConformance {}

    @Nested
    class Lifetime extends LifetimeConformance {}

    @Nested
    class Capabilities extends CapabilitiesConformance {}

    @Nested
    class Registration extends RegistrationConformance {}

    @Nested
    class Progress extends ProgressConformance {}

    @Nested
    class PostErrors extends PostErrorsConformance {}

    @Nested
    class FaultOrder extends FaultOrderConformance {}

    @Nested
    class ExtendedSends extends ExtendedSendsConformance {}

    @Nested
    class Batch extends BatchConformance {}

    @Nested
    class Allocation extends AllocationConformance {}

    @Nested
    class RandomOperations extends RandomOperationsConformance {}

    @Nested
    class Attachment extends AttachmentConformance {}

    @Nested
    class ExtendedQueue extends ExtendedQueueConformance {}

    @Nested
    class Datagrams extends DatagramsConformance {}

    @Nested
    class DatagramReplies extends DatagramRepliesConformance {}

    @Nested
    class DatagramBatch extends DatagramBatchConformance {}

    @Nested
    class Multicast extends MulticastConformance {}

    @Nested
    class MulticastFeed extends MulticastFeedConformance {}

    @Nested
    class Port extends PortConformance {}

    @Nested
    class OutOfBand extends OutOfBandConformance {}

    @Nested
    class ConnectOutOfBand extends ConnectOutOfBandConformance {}
}
