package org.panamaverbs.bench.binding;

import static java.lang.foreign.MemorySegment.NULL;

import java.util.EnumSet;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.ibverbs.context.ContextConfig;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.device.Quirks;
import org.panamaverbs.ibverbs.queuepair.IbvProtectionDomain;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.stub.StubCapabilities;

/** The provider's objects over the stub: a queue pair that takes sends, its completion queue, and registered memory. */
final class StubObjects implements AutoCloseable {
    private final Resources resources = new Resources();
    final CompletionQueue queue;
    final QueuePair queuePair;
    final RegisteredBuffer buffer;

    /** Makes the objects, with critical calls or without. */
    StubObjects(boolean critical) {
        IbvContext context = resources.add(IbvContext.open(new ContextConfig(
                IbvCalls.OPEN_DEVICE.pointer("the stub", NULL),
                "stub0",
                Transport.IWARP,
                StubCapabilities.of(EnumSet.noneOf(Capabilities.Feature.class)),
                1,
                critical,
                false,
                Quirks.NONE)));
        IbvProtectionDomain domain = resources.add(IbvProtectionDomain.create(context));
        queue = resources.add(CompletionQueueMaker.make(context, CompletionQueueConfig.of(256)));
        buffer = resources.add(domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        queuePair = resources.add(domain.create(QueuePairConfig.of(domain, queue)));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
    }

    @Override
    public void close() {
        resources.close();
    }
}
