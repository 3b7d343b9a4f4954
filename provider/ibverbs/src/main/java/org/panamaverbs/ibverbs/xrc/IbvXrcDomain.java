package org.panamaverbs.ibverbs.xrc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.XrcDomain;
import org.panamaverbs.api.ext.XrcDomainConfig;
import org.panamaverbs.api.ext.XrcReceiver;
import org.panamaverbs.api.ext.XrcSharedReceiveQueue;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_xrcd_init_attr;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.extensions.ContextCalls;
import org.panamaverbs.ibverbs.queuepair.IbvProtectionDomain;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Creation;

/** A domain of extended reliable connections, {@code struct ibv_xrcd}. */
public final class IbvXrcDomain extends ManagedResource implements XrcDomain {
    private static final int NO_FILE = -1;

    private final IbvContext context;
    private final MemorySegment handle;

    private IbvXrcDomain(IbvContext context, MemorySegment handle) {
        super("XRC domain " + context.nextNumber(), context);
        this.context = context;
        this.handle = handle;
    }

    /** Opens a domain. */
    public static IbvXrcDomain open(IbvContext context, XrcDomainConfig config) {
        context.limits().require(Feature.XRC);
        Path file = config.file();
        if (file == null) {
            // ibv_open_xrcd(3): without a file, O_CREAT alone says that it is to be made.
            return open(context, NO_FILE, Libc.O_CREAT(), "an XRC domain of " + context.resourceName());
        }
        int flags = switch (config.opening()) {
            case EXISTING -> 0;
            case ANY -> Libc.O_CREAT();
            case NEW -> Libc.O_CREAT() | Libc.O_EXCL();
        };
        try (OpenFile opened = OpenFile.of(file)) {
            return open(
                    context, opened.descriptor(), flags, "the XRC domain of " + file + " on " + context.resourceName());
        }
    }

    private static IbvXrcDomain open(IbvContext context, int descriptor, int flags, String what) {
        try (HeldParents held = new HeldParents("an XRC domain", context);
                Arena scratch = Arena.ofConfined()) {
            held.requireOpen();
            MemorySegment attributes = ibv_xrcd_init_attr.allocate(scratch);
            ibv_xrcd_init_attr.comp_mask(
                    attributes, Ibverbs.IBV_XRCD_INIT_ATTR_FD() | Ibverbs.IBV_XRCD_INIT_ATTR_OFLAGS());
            ibv_xrcd_init_attr.fd(attributes, descriptor);
            ibv_xrcd_init_attr.oflags(attributes, flags);
            return Creation.of(
                    () -> ContextCalls.openXrcd(context.handle()).pointer(what, context.handle(), attributes),
                    made -> new IbvXrcDomain(context, made),
                    made -> ContextCalls.closeXrcd(context.handle()).check(what, made));
        }
    }

    private NativeXrcDomain its() {
        return new NativeXrcDomain(this, context, handle);
    }

    @Override
    public XrcSharedReceiveQueue sharedReceiveQueue(
            ProtectionDomain domain, CompletionQueue completions, SharedReceiveQueueConfig config) {
        return IbvXrcSharedReceiveQueue.create(
                its(), IbvProtectionDomain.own(domain, context), IbvCompletionQueue.own(completions, context), config);
    }

    @Override
    public XrcReceiver receiver() {
        return IbvXrcReceiver.create(its());
    }

    @Override
    public XrcReceiver receiver(int number) {
        return IbvXrcReceiver.open(its(), number);
    }

    @Override
    protected void destroy() {
        context.destroy(ContextCalls.closeXrcd(context.handle()), resourceName(), handle);
    }
}
