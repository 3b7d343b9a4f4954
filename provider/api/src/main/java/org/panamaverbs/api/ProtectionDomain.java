package org.panamaverbs.api;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.ext.Adoption;
import org.panamaverbs.api.ext.DeviceMemory;
import org.panamaverbs.api.ext.MemoryAdvice;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * A protection domain, {@code struct ibv_pd}: queue pairs can use memory regions of their own domain only. Any thread
 * may call any method. A memory region (MR) is a {@link RegisteredBuffer}.
 */
public interface ProtectionDomain extends AutoCloseable {
    /**
     * Allocates zeroed, page-aligned memory and registers it; closing the buffer frees it.
     *
     * @param bytes at least 1
     * @param access the rights; reading by the local adapter needs none
     * @throws IllegalArgumentException if {@code bytes} is not positive, or the rights contradict each other: remote
     *     write and atomic need local write, see {@code ibv_reg_mr(3)}
     * @throws ResourceException if the memory cannot be registered, with the remedy
     * @throws OutOfMemoryError if the system refuses the memory
     * @throws UnsupportedOperationException if the device does not support a right, such as on-demand paging
     */
    RegisteredBuffer allocate(long bytes, Access... access);

    /**
     * Registers {@code segment}: {@code ibv_reg_mr(3)}. The buffer borrows the memory, which must stay alive until the
     * buffer is closed. {@link RegisteredBuffer} describes what happens otherwise, {@link MemorySlab#map} what happens
     * if another process truncates a mapped file.
     *
     * @param segment off-heap memory of at least 1 byte
     * @param access the rights
     * @throws IllegalArgumentException if the segment is on the heap, empty, or read-only with a right to write, or the
     *     rights contradict each other
     * @throws ResourceException if the memory cannot be registered, with the remedy
     */
    RegisteredBuffer register(MemorySegment segment, Access... access);

    /**
     * Registers device memory through its dma-buf file descriptor: {@code ibv_reg_dmabuf_mr(3)}. This process does not
     * map the memory: the buffer has no segment ({@link RegisteredBuffer#hasSegment}), and work requests address it by
     * offset.
     *
     * @param fileDescriptor of the dma-buf; may be closed afterwards
     * @param offset first byte of the range in the dma-buf
     * @param bytes length of the range, at least 1
     * @param iova the address of the first byte in work requests, a tagged offset in iWARP
     * @param access local write, remote read, write and atomic, and relaxed ordering
     * @throws UnsupportedOperationException if the device does not support dma-bufs
     * @throws IllegalArgumentException if {@code access} contains another right, which Linux refuses
     */
    default RegisteredBuffer registerDmaBuf(int fileDescriptor, long offset, long bytes, long iova, Access... access) {
        throw new UnsupportedOperationException(
                "the device does not register dma-bufs; remedy: use a device with dma-buf support (ibverbs)");
    }

    /**
     * Registers {@code segment} under a base address chosen by the caller: {@code ibv_reg_mr_iova2(3)}. Work requests
     * and peers address its first byte by {@code iova}. Otherwise as {@link #register(MemorySegment, Access...)}.
     *
     * @param iova the address of the first byte, unsigned; its offset within a page of 4096 bytes must be that of the
     *     segment's address, since adapters map pages
     * @throws IllegalArgumentException also if {@code iova} has another offset within its page, the range wraps, or
     *     {@code access} contains {@link Access#ZERO_BASED}
     * @throws UnsupportedOperationException also if the device lacks {@link Capabilities.Feature#ZERO_BASED}
     */
    default RegisteredBuffer register(MemorySegment segment, long iova, Access... access) {
        throw lacks(Capabilities.Feature.ZERO_BASED.name());
    }

    /**
     * Registers memory of the device: {@code ibv_reg_dm_mr(3)}. The buffer has no segment
     * ({@link RegisteredBuffer#hasSegment}), and its addresses start at 0. Close it before {@code memory}.
     *
     * @param memory of the same device
     * @param offset first byte of the range in {@code memory}
     * @param bytes length of the range, at least 1
     * @param access the rights; {@link Access#ZERO_BASED} is implied
     * @throws IndexOutOfBoundsException if the range is not within the memory
     * @throws ResourceException if the device refuses
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#DEVICE_MEMORY}
     */
    default RegisteredBuffer register(DeviceMemory memory, long offset, long bytes, Access... access) {
        throw lacks(Capabilities.Feature.DEVICE_MEMORY.name());
    }

    /**
     * Registers the whole address space of this process, present and future, with page faults on demand: implicit
     * on-demand paging, {@code ibv_reg_mr(3)} of NULL and SIZE_MAX. The buffer has no segment; offset and iova are the
     * address. Post inline data as segments.
     *
     * @param access the rights; {@link Access#ON_DEMAND} is implied. Remote rights apply to all memory of the process
     * @throws ResourceException if the device refuses
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#IMPLICIT_ON_DEMAND_PAGING}
     */
    default RegisteredBuffer registerAddressSpace(Access... access) {
        throw lacks(Capabilities.Feature.IMPLICIT_ON_DEMAND_PAGING.name());
    }

    /**
     * Creates a memory region without memory: {@code ibv_alloc_null_mr(3)}. Bytes received into it are dropped, bytes
     * sent from it are zeros. The buffer has no segment, accepts any offset, has {@code LOCAL_WRITE}, and is not
     * accessible to peers.
     *
     * @throws ResourceException if the device refuses
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#NULL_REGION}
     */
    default RegisteredBuffer nullRegion() {
        throw lacks(Capabilities.Feature.NULL_REGION.name());
    }

    /**
     * Changes the rights of a memory region, and moves it to this domain if it is of another one:
     * {@code ibv_rereg_mr(3)}. Cheaper than registering anew, since the memory stays pinned. The iova stays. No
     * outstanding request may name the buffer, and no window may be bound to it.
     *
     * <p>Afterwards {@code buffer} must not be named by requests. It keeps its memory alive and is closed after the new
     * one. If the device refuses, {@code buffer} is unchanged, unless the message says that it has become useless; it
     * must still be closed.
     *
     * @param buffer a memory region of process memory
     * @param access the new rights
     * @return the memory region as it is now, possibly with other keys
     * @throws IllegalArgumentException if {@code buffer} is of another device or has no segment, or the rights
     *     contradict each other
     * @throws IllegalStateException if {@code buffer} is closed, or a memory window is bound to it
     * @throws ResourceException if the device refuses
     * @throws UnsupportedOperationException if the device does not support this: register the memory anew
     */
    default RegisteredBuffer reregister(RegisteredBuffer buffer, Access... access) {
        throw lacks("ibv_rereg_mr");
    }

    /**
     * Changes the memory as well; otherwise as {@link #reregister(RegisteredBuffer, Access...)}. The iova becomes the
     * address of {@code segment}.
     *
     * @param segment the new memory; must stay alive until the new buffer is closed
     * @throws IllegalArgumentException also if {@code segment} cannot be registered with the rights, or with
     *     {@link Access#ZERO_BASED}
     */
    default RegisteredBuffer reregister(RegisteredBuffer buffer, MemorySegment segment, Access... access) {
        throw lacks("ibv_rereg_mr");
    }

    /**
     * Advises the device to prepare for requests that will name memory registered on demand: {@code ibv_advise_mr(3)}.
     * It changes no result.
     *
     * @param advice how to prepare
     * @param wait true to return when done ({@code IBV_ADVISE_MR_FLAG_FLUSH}), false to return once begun
     * @param ranges parts of buffers of this domain with {@link Access#ON_DEMAND}
     * @throws ResourceException if a range is not mapped, not registered on demand, or of another domain
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#ON_DEMAND_PAGING}, or takes
     *     no advice
     */
    default void advise(MemoryAdvice advice, boolean wait, SgList ranges) {
        throw lacks(Capabilities.Feature.ON_DEMAND_PAGING.name());
    }

    private static UnsupportedOperationException lacks(String what) {
        return new UnsupportedOperationException(
                "this device lacks " + what + "; remedy: see `verbs devinfo -v` for what each provider supports");
    }

    /**
     * Creates a memory window: {@code ibv_alloc_mw(3)}.
     *
     * @param type the type, which decides how the window can be invalidated
     * @return the window, not bound
     * @throws UnsupportedOperationException if the device does not support windows of this type
     */
    MemoryWindow memoryWindow(MemoryWindow.Type type);

    /**
     * Creates a shared receive queue: {@code ibv_create_srq(3)}.
     *
     * @param config its sizes
     * @return the queue, which the caller closes after the queue pairs that use it
     * @throws IllegalArgumentException if a size exceeds the capabilities
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#SHARED_RECEIVE_QUEUE}
     */
    SharedReceiveQueue sharedReceiveQueue(SharedReceiveQueueConfig config);

    /**
     * Creates a queue pair: {@code ibv_create_qp(3)}.
     *
     * @param config its type, queues and sizes
     * @return the queue pair in state INIT
     * @throws IllegalArgumentException if {@code config} names another domain, queues of another device or a shared
     *     receive queue of another domain, or exceeds the capabilities
     * @throws IllegalStateException if the domain or one of the queues is closed
     * @throws UnsupportedOperationException if the device lacks the type or an operation that {@code config} asks for
     */
    QueuePair queuePair(QueuePairConfig config);

    /**
     * Adopts a queue pair that a vendor's call created in this domain. It is posted to and polled like any other, in
     * its current state, which {@link QueuePair#modify} changes. The connection manager does not support it
     * ({@link Verbs#connect}, {@link ConnectionRequest#accept}, multicast joins). One of type
     * {@link QueuePairType#DRIVER} sends datagrams.
     *
     * <p>Closing it waits for calls in progress, and destroys the native queue pair if the library owns it
     * ({@link Adoption#owner}). If the caller owns it, outstanding requests stay with the device; their completions
     * still arrive, with the number only. If adopting fails, the native queue pair stays the caller's.
     *
     * @param adoption the native queue pair
     * @param config the configuration given to the vendor's call: completion queues, shared receive queue, type, and at
     *     most its sizes; {@link QueuePairConfig#sendOps} must be empty, and rights, port and flags are not applied
     * @throws IllegalArgumentException if the native queue pair is of another device or domain, differs from
     *     {@code config} in number, type or queues, has smaller sizes, or is adopted already
     * @throws IllegalStateException if the domain or a queue is closed
     * @throws ResourceException if its state cannot be queried
     * @throws UnsupportedOperationException if the provider has no native objects, or the type is one of XRC
     */
    default QueuePair adopt(Adoption adoption, QueuePairConfig config) {
        throw lacks("native queue pairs to adopt");
    }

    /**
     * Creates an address handle ({@code ibv_create_ah(3)}). On RoCE that resolves the peer's Ethernet address, which
     * may take seconds.
     *
     * @throws IllegalArgumentException if a value of {@code config} is out of range
     * @throws ResourceException if the address cannot be resolved, after 5 s at the latest; the domain refuses to close
     *     until a driver that hangs returns
     * @throws UnsupportedOperationException if the device does not support datagrams
     */
    default AddressHandle addressHandle(AddressHandleConfig config) {
        throw new UnsupportedOperationException(
                "the device does not support datagrams; remedy: use ibverbs on InfiniBand or RoCE, which have"
                        + " address handles");
    }

    /**
     * Creates an address handle for replies to a received datagram: {@code ibv_create_ah_from_wc(3)}. A reply also
     * needs {@link WorkCompletion#sourceQpNumber()} and the Q_Key that both sides agreed on. It leaves from the address
     * that the datagram was sent to, with its traffic class, service level and remaining hop limit. Keep the handle for
     * further replies to the same source: creating one is a system call and allocates.
     *
     * @param received the completion of the receive; used during this call only
     * @param header a view of the start of the receive buffer; used during this call only, and not read if there is no
     *     header
     * @param port the port that received it, {@link QueuePairAttributes#port()} of its queue pair
     * @throws IllegalArgumentException if {@code received} is not a received datagram; if an extended completion queue
     *     lacks {@link WcField#SOURCE_QP}, or on InfiniBand {@link WcField#SOURCE_LID} or
     *     {@link WcField#SERVICE_LEVEL}; or if the datagram was sent to a multicast group: then create a handle from
     *     {@link GrhView#source()} and a local GID index
     * @throws ResourceException if the local address is no longer in the port's GID table, or the header is invalid
     * @throws UnsupportedOperationException if the device does not support datagrams
     */
    default AddressHandle addressHandle(WorkCompletion received, GrhView header, int port) {
        throw new UnsupportedOperationException(
                "the device does not support datagrams; remedy: use ibverbs on InfiniBand or RoCE, which have"
                        + " address handles");
    }

    /**
     * Destroys the domain.
     *
     * @throws IllegalStateException if objects of the domain are still open, naming them
     */
    @Override
    void close();
}
