package org.panamaverbs.bench.binding;

import static java.lang.foreign.MemorySegment.NULL;

import java.util.Set;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.DeviceInfo.Transport;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.support.CapabilitiesBuilder;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.ibverbs.context.ContextConfig;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.device.Quirks;
import org.panamaverbs.ibverbs.queuepair.IbvProtectionDomain;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** The provider's objects over the stub: a queue pair that takes sends, its completion queue, and registered memory. */
final class StubVerbs implements AutoCloseable {
    private static final int LIMIT = 16_384;

    private final IbvContext context;
    private final IbvProtectionDomain domain;
    private final CompletionQueue queue;
    private final QueuePair queuePair;
    private final RegisteredBuffer buffer;

    /** Makes them, with critical calls or without. */
    StubVerbs(boolean critical) {
        context = IbvContext.open(new ContextConfig(
                IbvCalls.OPEN_DEVICE.pointer("the stub", NULL),
                "stub0",
                Transport.IWARP,
                limits(),
                1,
                critical,
                Quirks.NONE));
        domain = IbvProtectionDomain.of(context);
        queue = CompletionQueueMaker.make(context, CompletionQueueConfig.of(256));
        queuePair = domain.create(QueuePairConfig.of(domain, queue));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        buffer = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    }

    private static Capabilities limits() {
        return new CapabilitiesBuilder()
                .maxQp(LIMIT)
                .maxQpWr(LIMIT)
                .maxSge(16)
                .maxSgeRead(16)
                .maxInlineBytes(1024)
                .maxCq(LIMIT)
                .maxCqe(LIMIT)
                .maxMr(LIMIT)
                .maxMrBytes(Long.MAX_VALUE)
                .maxMw(LIMIT)
                .maxPd(LIMIT)
                .maxSrq(LIMIT)
                .maxSrqWr(LIMIT)
                .maxInitiatorDepth(128)
                .maxResponderResources(128)
                .maxMessageBytes(1L << 31)
                .maxPrivateData(255)
                .immediateBytes(4)
                .queuePairTypes(Set.of(QueuePairType.RC))
                .build();
    }

    CompletionQueue queue() {
        return queue;
    }

    QueuePair queuePair() {
        return queuePair;
    }

    RegisteredBuffer buffer() {
        return buffer;
    }

    /** The buffer, as if it were a peer's. */
    RemoteBuffer remote() {
        return buffer.remote();
    }

    @Override
    public void close() {
        queuePair.close();
        buffer.close();
        queue.close();
        domain.close();
        context.close();
    }
}
