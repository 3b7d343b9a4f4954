package org.panamaverbs.ibverbs.post;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_context;
import org.panamaverbs.bindings.ibverbs.ibv_context_ops;
import org.panamaverbs.bindings.ibverbs.ibv_mw;
import org.panamaverbs.bindings.ibverbs.ibv_mw_bind;
import org.panamaverbs.bindings.ibverbs.ibv_mw_bind_info;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.context.Region;
import org.panamaverbs.ibverbs.memory.NativeWindow;
import org.panamaverbs.spi.support.WindowBinding;

/** Binding of a window of type 1, {@code ibv_bind_mw(3)}: the driver chooses the key and posts the request. */
final class Type1Bind {
    private static final FunctionDescriptor SHAPE =
            FunctionDescriptor.of(Ibverbs.C_INT, Ibverbs.C_POINTER, Ibverbs.C_POINTER, Ibverbs.C_POINTER);

    private Type1Bind() {}

    /**
     * Binds {@code window}; the caller holds the registrations and the send gate.
     *
     * @return 0, or an error number, negative with some drivers
     */
    static int bind(
            NativeQueuePair queuePair, long wrId, NativeWindow window, Region region, WindowBinding asked, int flags) {
        int errno = post(queuePair, wrId, window, region, asked, flags);
        if (errno == 0) {
            window.bound(region, asked.under(ibv_mw.rkey(window.handle())));
        }
        return errno;
    }

    /** As {@link #bind}, of a window that the registrations need not know: who posts it gives both back in order. */
    static int post(
            NativeQueuePair queuePair, long wrId, NativeWindow window, Region region, WindowBinding asked, int flags) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment bind = ibv_mw_bind.allocate(scratch);
            ibv_mw_bind.wr_id(bind, wrId);
            ibv_mw_bind.send_flags(bind, flags);
            MemorySegment info = ibv_mw_bind.bind_info(bind);
            ibv_mw_bind_info.mr(info, region.handle());
            ibv_mw_bind_info.addr(info, asked.taggedOffset());
            ibv_mw_bind_info.length(info, asked.length());
            ibv_mw_bind_info.mw_access_flags(info, asked.access());
            MemorySegment ops = ibv_context.ops(queuePair.context().handle());
            return Call.at(ibv_context_ops.bind_mw(ops), "ibv_bind_mw", SHAPE)
                    .status(queuePair.handle(), window.handle(), bind);
        }
    }
}
