package org.panamaverbs.api;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;

/** A protection domain, {@code struct ibv_pd}: queue pairs can use only memory of their own domain. */
public interface ProtectionDomain extends AutoCloseable {
    /**
     * Allocates {@code bytes} of zeroed, page-aligned memory and registers it; closing the buffer frees it.
     *
     * @throws IllegalArgumentException if {@code bytes} is not positive or the rights contradict each other (remote
     *     write and atomic need local write, as {@code ibv_reg_mr(3)} says)
     * @throws ResourceException if the memory cannot be registered, with the remedy
     * @throws OutOfMemoryError if the system refuses the memory
     * @throws UnsupportedOperationException if the device lacks a wanted right, for example on-demand paging
     */
    RegisteredBuffer allocate(long bytes, Access... access);

    /**
     * Registers {@code segment} ({@code ibv_reg_mr(3)}). It must stay alive until the buffer is closed; the buffer
     * borrows it. {@link RegisteredBuffer} says what becomes of it if it does not, {@link MemorySlab#map} what becomes
     * of a file that another process truncates.
     *
     * @throws IllegalArgumentException if it is on the heap, empty, read-only with write access, or the rights
     *     contradict
     * @throws ResourceException if it cannot be registered, with the remedy
     */
    RegisteredBuffer register(MemorySegment segment, Access... access);

    /**
     * Registers a device's memory by its dma-buf file descriptor ({@code ibv_reg_dmabuf_mr(3)}). This process does not
     * have that memory: the buffer has no segment ({@link RegisteredBuffer#hasSegment}), and work requests name it by
     * offset or address.
     *
     * @param fileDescriptor of the dma-buf, which may be closed afterwards
     * @param offset of the part in the dma-buf, in octets
     * @param bytes of the part, at least 1
     * @param iova the tagged offset of the part's first octet, for work requests
     * @param access the rights
     * @throws UnsupportedOperationException if the device cannot
     */
    default RegisteredBuffer registerDmaBuf(int fileDescriptor, long offset, long bytes, long iova, Access... access) {
        throw new UnsupportedOperationException(
                "this device registers no dma-buf: use a provider over a device with dma-buf support (ibverbs)");
    }

    /**
     * Makes a memory window ({@code ibv_alloc_mw(3)}).
     *
     * @throws UnsupportedOperationException if the device has no windows of that type
     */
    MemoryWindow memoryWindow(MemoryWindow.Type type);

    /** Makes a shared receive queue ({@code ibv_create_srq(3)}). */
    SharedReceiveQueue sharedReceiveQueue(SharedReceiveQueueConfig config);

    /**
     * Makes a queue pair ({@code ibv_create_qp(3)}).
     *
     * @throws IllegalArgumentException if the configuration names another domain, queues of another device or a shared
     *     receive queue of another domain, or exceeds the capabilities
     * @throws IllegalStateException if the domain or one of the queues is closed
     */
    QueuePair queuePair(QueuePairConfig config);

    /**
     * Makes an address handle ({@code ibv_create_ah(3)}).
     *
     * @throws IllegalArgumentException if a number of {@code config} is beyond its range
     * @throws UnsupportedOperationException if the device has no datagrams
     */
    default AddressHandle addressHandle(AddressHandleConfig config) {
        throw new UnsupportedOperationException(
                "this device has no datagrams: address handles need ibverbs on InfiniBand or RoCE");
    }

    /**
     * Makes an address handle that leads back to who sent a datagram ({@code ibv_create_ah_from_wc(3)}): an answer
     * needs that, {@link WorkCompletion#sourceQpNumber()} and the peer's key, which both sides agree on. It leads there
     * from the address that the datagram came to, in its traffic class and service level, over as many hops as it had
     * left. A handle is of use for all further answers to the same source; making one asks the kernel, and allocates.
     *
     * @param received a completion of that receive; needed no longer than this call
     * @param header laid over that receive; needed no longer than this call, and not read where there is none
     * @param port the port that it came to, {@link QueuePairAttributes#port()} of its queue pair
     * @throws IllegalArgumentException if {@code received} is not of a datagram that came, or says too little of it: an
     *     extended completion queue needs {@link WcField#SOURCE_QP}, and on InfiniBand {@link WcField#SOURCE_LID} and
     *     {@link WcField#SERVICE_LEVEL}; or if it came to a multicast group, so that its header has no address of this
     *     side: make a handle by {@link GrhView#source()} and an index of the own GIDs
     * @throws ResourceException if this side's address is not in the port's table any more, or the header is not one
     * @throws UnsupportedOperationException if the device has no datagrams
     */
    default AddressHandle addressHandle(WorkCompletion received, GrhView header, int port) {
        throw new UnsupportedOperationException(
                "this device has no datagrams: address handles need ibverbs on InfiniBand or RoCE");
    }

    /**
     * Destroys the domain.
     *
     * @throws IllegalStateException naming what of it is still open
     */
    @Override
    void close();
}
