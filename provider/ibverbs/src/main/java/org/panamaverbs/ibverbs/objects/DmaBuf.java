package org.panamaverbs.ibverbs.objects;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RegistrationChecks;

/** Registration of a device's memory by its dma-buf. */
final class DmaBuf {
    private DmaBuf() {}

    /**
     * Registers {@code bytes} of the dma-buf from {@code offset}. The segment of the buffer has an address, that of its
     * tagged offsets, but no memory behind it that this process could touch.
     */
    static RegisteredBuffer register(
            IbvProtectionDomain domain, int fileDescriptor, long offset, long bytes, long iova, int rights) {
        IbvContext context = domain.context();
        context.capabilities().require(Feature.DMA_BUF, context.device());
        RegistrationChecks.requireAccess(rights);
        domain.registrations().requireFeatures(rights);
        RegistrationChecks.requirePositive(bytes, "the part of the dma-buf");
        String what = "%d bytes at offset %d of dma-buf %d with %s on %s"
                .formatted(bytes, offset, fileDescriptor, Access.format(rights), context.resourceName());
        MemorySegment handle = IbvCalls.REG_DMABUF_MR.pointer(
                what, domain.handle(), offset, bytes, iova, fileDescriptor, rights & ~Access.HUGE_PAGES.bit());
        // An address and a length for the checks of offsets: the octets are the device's, this process has none there.
        MemorySegment segment = MemorySegment.ofAddress(iova).reinterpret(bytes);
        Registration made = domain.registrations().enterWithoutMemory(segment, iova, handle);
        return Natives.adopt(
                () -> new RegisteredBuffer(
                        domain,
                        segment,
                        made.region().lkey(),
                        made.rkey(),
                        iova,
                        rights,
                        () -> domain.registrations().deregister(made.region()),
                        null),
                () -> domain.registrations().deregister(made.region()));
    }
}
