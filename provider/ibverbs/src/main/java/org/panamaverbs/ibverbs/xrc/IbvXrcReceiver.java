package org.panamaverbs.ibverbs.xrc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.XrcReceiver;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_qp;
import org.panamaverbs.bindings.ibverbs.ibv_qp_attr;
import org.panamaverbs.bindings.ibverbs.ibv_qp_init_attr;
import org.panamaverbs.bindings.ibverbs.ibv_qp_init_attr_ex;
import org.panamaverbs.bindings.ibverbs.ibv_qp_open_attr;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.Undo;
import org.panamaverbs.ibverbs.context.EventTarget;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.extensions.ContextCalls;
import org.panamaverbs.ibverbs.queuepair.QpAttributes;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Creation;

/** The receiving end of an extended reliable connection. Its monitor keeps it from being destroyed during a call. */
final class IbvXrcReceiver extends ManagedResource implements XrcReceiver, EventTarget {
    private final IbvContext context;
    private final MemorySegment handle;
    private final int number;

    private IbvXrcReceiver(NativeXrcDomain domain, MemorySegment handle) {
        super("XRC receiver " + ibv_qp.qp_num(handle), domain.owner());
        context = domain.context();
        this.handle = handle;
        number = ibv_qp.qp_num(handle);
        boolean made = false;
        try {
            context.objects().register(handle, this);
            made = true;
        } finally {
            if (!made) {
                abandon();
            }
        }
    }

    /** Creates a receiver and moves it to INIT. */
    static IbvXrcReceiver create(NativeXrcDomain domain) {
        try (HeldParents held = new HeldParents("an XRC receiver", domain.owner());
                Arena scratch = Arena.ofConfined()) {
            held.requireOpen();
            MemorySegment init = ibv_qp_init_attr_ex.allocate(scratch);
            ibv_qp_init_attr_ex.comp_mask(init, Ibverbs.IBV_QP_INIT_ATTR_XRCD());
            ibv_qp_init_attr_ex.xrcd(init, domain.handle());
            ibv_qp_init_attr_ex.qp_type(init, Ibverbs.IBV_QPT_XRC_RECV());
            String what = "XRC_RECV queue pair in " + domain.owner().resourceName();
            MemorySegment context = domain.context().handle();
            return Creation.of(
                    () -> adopt(domain, () -> ContextCalls.createQpEx(context).pointer(what, context, init)),
                    made -> {
                        made.initialize();
                        return made;
                    },
                    IbvXrcReceiver::closeOrLeave);
        }
    }

    /** Opens the receiver that has {@code number} already. */
    static IbvXrcReceiver open(NativeXrcDomain domain, int number) {
        try (HeldParents held = new HeldParents("an XRC receiver", domain.owner());
                Arena scratch = Arena.ofConfined()) {
            held.requireOpen();
            MemorySegment attributes = ibv_qp_open_attr.allocate(scratch);
            ibv_qp_open_attr.comp_mask(
                    attributes,
                    Ibverbs.IBV_QP_OPEN_ATTR_NUM() | Ibverbs.IBV_QP_OPEN_ATTR_XRCD() | Ibverbs.IBV_QP_OPEN_ATTR_TYPE());
            ibv_qp_open_attr.qp_num(attributes, number);
            ibv_qp_open_attr.xrcd(attributes, domain.handle());
            ibv_qp_open_attr.qp_type(attributes, Ibverbs.IBV_QPT_XRC_RECV());
            String what =
                    "XRC_RECV queue pair " + number + " in " + domain.owner().resourceName();
            MemorySegment context = domain.context().handle();
            return adopt(domain, () -> ContextCalls.openQp(context).pointer(what, context, attributes));
        }
    }

    private static IbvXrcReceiver adopt(NativeXrcDomain domain, Supplier<MemorySegment> create) {
        return Creation.of(
                create, made -> new IbvXrcReceiver(domain, made.reinterpret(ibv_qp.sizeof())), Undo.DESTROY_QP);
    }

    private void initialize() {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = ibv_qp_attr.allocate(scratch);
            modify(
                    attributes,
                    QpAttributes.writeInitial(
                            context, QueuePairType.XRC_RECV, Access.LOCAL_WRITE.bit(), context.port(), 0, attributes));
        }
    }

    @Override
    public void modify(QueuePairAttributes wanted) {
        if (wanted.alternatePath().isPresent()
                || wanted.get(Field.PATH_MIG_STATE).isPresent()) {
            context.limits().require(Feature.PATH_MIGRATION);
        }
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = ibv_qp_attr.allocate(scratch);
            modify(attributes, QpAttributes.write(wanted, attributes));
        }
    }

    private synchronized void modify(MemorySegment attributes, int mask) {
        requireOpen();
        int errno = IbvCalls.MODIFY_QP.status(handle, attributes, mask);
        if (errno != 0) {
            throw QpAttributes.refused(
                    context, resourceName(), QueuePairType.XRC_RECV, state(), attributes, mask, errno);
        }
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairState state() {
        return query().state().orElseThrow();
    }

    @Override
    public synchronized QueuePairAttributes query() {
        requireOpen();
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = ibv_qp_attr.allocate(scratch);
            MemorySegment init = ibv_qp_init_attr.allocate(scratch);
            IbvCalls.QUERY_QP.check(resourceName(), handle, attributes, QpAttributes.ALL, init);
            return QpAttributes.read(attributes, QpAttributes.state(attributes), true);
        }
    }

    @Override
    public void raised(AsyncEvent.Type type) {
        // Nothing is kept of its state here.
    }

    @Override
    public String told(AsyncEvent.Type type) {
        return resourceName();
    }

    @Override
    protected synchronized void destroy() {
        context.objects().forget(handle);
        context.destroy(IbvCalls.DESTROY_QP, resourceName(), handle);
    }

    @Override
    protected void release() {
        context.forgetEvents(this);
    }
}
