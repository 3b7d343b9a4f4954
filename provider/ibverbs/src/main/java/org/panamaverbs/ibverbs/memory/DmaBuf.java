package org.panamaverbs.ibverbs.memory;

import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.support.Creation;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RegistrationChecks;

/** Registration of a device's memory by its dma-buf. */
public final class DmaBuf {
    private DmaBuf() {}

    /**
     * Registers {@code bytes} of the dma-buf from {@code offset}. The buffer has tagged offsets and no segment: the
     * octets are the device's.
     */
    public static RegisteredBuffer register(
            Domain domain, int fileDescriptor, long offset, long bytes, long iova, int rights) {
        IbvContext context = domain.context();
        context.capabilities().require(Feature.DMA_BUF, context.device());
        RegistrationChecks.requireAccess(rights);
        domain.registrations().requireFeatures(rights);
        RegistrationChecks.requirePositive(bytes, "the part of the dma-buf");
        String what = "%d bytes at offset %d of dma-buf %d with %s on %s"
                .formatted(bytes, offset, fileDescriptor, Access.format(rights), context.resourceName());
        int flags = rights & ~Access.HUGE_PAGES.bit();
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
                made -> domain.registrations().deregister(made.region()));
    }
}
