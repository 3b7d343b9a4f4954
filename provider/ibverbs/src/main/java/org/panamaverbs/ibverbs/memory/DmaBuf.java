package org.panamaverbs.ibverbs.memory;

import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RegistrationChecks;
import org.panamaverbs.spi.support.Creation;

/** Registration of a device's memory by its dma-buf. */
public final class DmaBuf {
    // Linux' uverbs_std_types_mr.c: what UVERBS_METHOD_REG_DMABUF_MR takes, all else is EINVAL.
    private static final int TAKEN = Access.mask(
            Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC, Access.RELAXED_ORDERING);

    private DmaBuf() {}

    /**
     * Registers {@code bytes} of the dma-buf from {@code offset}. The buffer has tagged offsets and no segment: the
     * bytes are the device's.
     */
    public static RegisteredBuffer register(
            Domain domain, int fileDescriptor, long offset, long bytes, long iova, int rights) {
        IbvContext context = domain.context();
        context.capabilities().require(Feature.DMA_BUF, context.device());
        RegistrationChecks.requireAccess(rights);
        int flags = rights & ~Access.HUGE_PAGES.bit();
        if ((flags & ~TAKEN) != 0) {
            throw new IllegalArgumentException("ibv_reg_dmabuf_mr of dma-buf " + fileDescriptor
                    + ": Linux registers a dma-buf with " + Access.format(TAKEN) + ", not with "
                    + Access.format(flags & ~TAKEN) + "; remedy: request only those");
        }
        domain.registrations().requireFeatures(rights);
        RegistrationChecks.requirePositive(bytes, "the part of the dma-buf");
        String what = "%d bytes at offset %d of dma-buf %d with %s on %s"
                .formatted(bytes, offset, fileDescriptor, Access.format(rights), context.resourceName());
        return Creation.of(
                () -> domain.registrations()
                        .enterWithoutMemory(
                                iova,
                                () -> IbvCalls.REG_DMABUF_MR.pointer(
                                        what, domain.handle(), offset, bytes, iova, fileDescriptor, flags)),
                made -> new RegisteredBuffer(
                        domain,
                        bytes,
                        made.region().lkey(),
                        made.rkey(),
                        iova,
                        rights,
                        () -> domain.registrations().deregister(made.region())),
                made -> domain.registrations().takeBack(made.region()));
    }
}
