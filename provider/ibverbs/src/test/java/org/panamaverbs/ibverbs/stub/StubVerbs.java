package org.panamaverbs.ibverbs.stub;

import static java.lang.foreign.MemorySegment.NULL;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.connect.IbvConnectionManager;
import org.panamaverbs.ibverbs.context.ContextConfig;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.device.Quirks;
import org.panamaverbs.ibverbs.queuepair.IbvProtectionDomain;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.stub.StubCapabilities;

/** The stub's device, opened, with a domain; what is made from it by these methods is closed with it. */
public final class StubVerbs implements AutoCloseable {
    private final Resources resources = new Resources();
    private final IbvContext context;
    private final CmContext cm;
    private final IbvConnectionManager connections;
    private final IbvProtectionDomain domain;

    /** Opens the device as one of iWARP, without any features. */
    public StubVerbs() {
        this(Transport.IWARP);
    }

    /** Opens the device as one of {@code transport}, without any features but what this one has always. */
    public StubVerbs(Transport transport) {
        this(
                transport,
                transport == Transport.IWARP
                        ? EnumSet.noneOf(Capabilities.Feature.class)
                        : EnumSet.of(
                                Capabilities.Feature.RETRY_TIMES,
                                Capabilities.Feature.OUT_OF_BAND,
                                Capabilities.Feature.IPV6_ONLY,
                                Capabilities.Feature.PATH_MIGRATION));
    }

    /** Opens the device as one of iWARP with {@code features}. */
    public StubVerbs(Set<Capabilities.Feature> features) {
        this(Transport.IWARP, features);
    }

    /** Opens the device as one of {@code transport} with {@code features}. */
    public StubVerbs(Transport transport, Set<Capabilities.Feature> features) {
        context = resources.add(IbvContext.open(config(transport, Quirks.NONE, features)));
        cm = new CmContext(context, new DeviceInfo("stub0", transport, "a stub", "", 0, List.of()));
        connections = new IbvConnectionManager(cm);
        context.attach(this, cm::close);
        domain = resources.add(IbvProtectionDomain.create(context));
    }

    /** Returns what a context is opened with; each call opens the device anew. */
    public static ContextConfig config(Quirks quirks, Set<Capabilities.Feature> features) {
        return config(Transport.IWARP, quirks, features);
    }

    private static ContextConfig config(Transport transport, Quirks quirks, Set<Capabilities.Feature> features) {
        Capabilities capabilities = StubCapabilities.of(features); // before: nobody would close the device
        MemorySegment device = IbvCalls.OPEN_DEVICE.pointer("the stub", NULL);
        return new ContextConfig(device, "stub0", transport, capabilities, 1, false, false, quirks);
    }

    /** Returns the context. */
    public IbvContext context() {
        return context;
    }

    /** Returns what its connections share. */
    public CmContext cm() {
        return cm;
    }

    /** Returns its connection manager. */
    public IbvConnectionManager connections() {
        return connections;
    }

    /** Returns the domain. */
    public IbvProtectionDomain domain() {
        return domain;
    }

    /** Makes a completion queue. */
    public IbvCompletionQueue queue(int capacity) {
        return resources.add(CompletionQueueMaker.make(context, CompletionQueueConfig.of(capacity)));
    }

    /** Makes a queue pair. */
    public IbvQueuePair queuePair(QueuePairConfig config) {
        return resources.add(domain.create(config));
    }

    /** Has {@code made} closed with the device, unless it is closed before. */
    public <T extends AutoCloseable> T add(T made) {
        return resources.add(made);
    }

    /** Closes the device and all that was made from it. */
    @Override
    public void close() {
        resources.close();
    }
}
