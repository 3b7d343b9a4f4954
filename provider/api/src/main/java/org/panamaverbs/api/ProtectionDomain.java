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
     * @param offset of the part in the dma-buf, in bytes
     * @param bytes of the part, at least 1
     * @param iova the tagged offset of the part's first byte, for work requests
     * @param access the rights: local write, those of peers to read, write and do atomics, and relaxed ordering
     * @throws UnsupportedOperationException if the device cannot
     * @throws IllegalArgumentException if another right is asked for: Linux refuses it
     */
    default RegisteredBuffer registerDmaBuf(int fileDescriptor, long offset, long bytes, long iova, Access... access) {
        throw new UnsupportedOperationException(
                "the device does not register dma-bufs; remedy: use a device with dma-buf support (ibverbs)");
    }

    /**
     * Registers {@code segment} with a base of the caller's ({@code ibv_reg_mr_iova2(3)}): work requests and peers
     * address its first byte by {@code taggedOffset}, as if it lay there. Otherwise as {@link #register(MemorySegment,
     * Access...)}.
     *
     * @param taggedOffset unsigned; within its page of 4096 bytes it is where the segment's address is within its own,
     *     as adapters map pages
     * @throws IllegalArgumentException also if it is elsewhere within its page, if the tagged offsets wrap, or with
     *     {@link Access#ZERO_BASED}, which is a base of its own
     * @throws UnsupportedOperationException also if the device lacks {@link Capabilities.Feature#ZERO_BASED}
     */
    default RegisteredBuffer register(MemorySegment segment, long taggedOffset, Access... access) {
        throw lacks(Capabilities.Feature.ZERO_BASED.name());
    }

    /**
     * Registers memory of the device ({@code ibv_reg_dm_mr(3)}). The buffer has no segment
     * ({@link RegisteredBuffer#hasSegment}), and tagged offsets from 0; {@code memory} cannot be closed before it.
     *
     * @param memory of the same device
     * @param offset of the part in the memory, in bytes
     * @param bytes of the part, at least 1
     * @param access the rights; {@link Access#ZERO_BASED} goes without saying
     * @throws IndexOutOfBoundsException if the part is not within the memory
     * @throws ResourceException if the device refuses
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#DEVICE_MEMORY}
     */
    default RegisteredBuffer register(DeviceMemory memory, long offset, long bytes, Access... access) {
        throw lacks(Capabilities.Feature.DEVICE_MEMORY.name());
    }

    /**
     * Registers all memory of this process, what it has now and what it will have, to be faulted in on demand (implicit
     * on-demand paging, {@code ibv_reg_mr(3)} of NULL and SIZE_MAX). The buffer has no segment, though the process has
     * the memory: offset and tagged offset are the address. Data posted inline are to be given as segments.
     *
     * @param access the rights; {@link Access#ON_DEMAND} goes without saying. What peers may do they may do to all of
     *     the process
     * @throws ResourceException if the device refuses
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#IMPLICIT_ON_DEMAND_PAGING}
     */
    default RegisteredBuffer registerAddressSpace(Access... access) {
        throw lacks(Capabilities.Feature.IMPLICIT_ON_DEMAND_PAGING.name());
    }

    /**
     * Makes a registration without memory, for pieces of requests that nobody needs ({@code ibv_alloc_null_mr(3)}):
     * what is received there is dropped, what is sent from there is zeros. The buffer has no segment, any offset and
     * the right {@code LOCAL_WRITE}; peers cannot name it.
     *
     * @throws ResourceException if the device refuses
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#NULL_REGION}
     */
    default RegisteredBuffer nullRegion() {
        throw lacks(Capabilities.Feature.NULL_REGION.name());
    }

    /**
     * Changes the rights of a registration, and moves it to this domain if it is of another one
     * ({@code ibv_rereg_mr(3)}): cheaper than registering the memory again, which stays pinned. The tagged offsets
     * stay. No request that names the buffer may be under way, and no window be bound to it.
     *
     * <p>{@code buffer} is used up: it keeps its memory alive, is closed after the new one, and must not be named by
     * requests any more. If the device refuses, it is as it was, unless the message says that it is of no use any more:
     * then it is still to be closed.
     *
     * @param buffer a registration of memory of the process
     * @return the registration as it is now; its keys may be others
     * @throws IllegalArgumentException if {@code buffer} is of another device, has no segment, or the rights contradict
     *     each other
     * @throws IllegalStateException if it is closed, or a memory window is bound to it
     * @throws ResourceException if the device refuses
     * @throws UnsupportedOperationException if the device changes no registrations: register the memory anew
     */
    default RegisteredBuffer reregister(RegisteredBuffer buffer, Access... access) {
        throw lacks("ibv_rereg_mr");
    }

    /**
     * As {@link #reregister(RegisteredBuffer, Access...)}, of other memory, too, which must stay alive until the new
     * buffer is closed. Its tagged offsets are its addresses.
     *
     * @throws IllegalArgumentException also if {@code segment} cannot be registered with the rights, or with
     *     {@link Access#ZERO_BASED}
     */
    default RegisteredBuffer reregister(RegisteredBuffer buffer, MemorySegment segment, Access... access) {
        throw lacks("ibv_rereg_mr");
    }

    /**
     * Has the device prepare for requests that will name memory which is registered on demand
     * ({@code ibv_advise_mr(3)}): advice, which changes no result.
     *
     * @param advice what to do
     * @param wait whether to return when it is done ({@code IBV_ADVISE_MR_FLAG_FLUSH}), or when it was begun
     * @param ranges what is concerned: pieces of registrations of this domain with {@link Access#ON_DEMAND}
     * @throws ResourceException if a range is not mapped, not in a registration on demand, or of another domain
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
     * Adopts a queue pair that a vendor's call created in this domain: it is posted to and polled like another, in the
     * state in which it is; {@link QueuePair#modify} changes that. It takes no part in what the connection manager does
     * ({@link Verbs#connect}, {@link ConnectionRequest#accept}, multicast joins). One of type
     * {@link QueuePairType#DRIVER} sends datagrams.
     *
     * <p>Closing it waits for calls under way, and destroys the native queue pair if that is the library's
     * ({@link Adoption#owner}). If it is the caller's, outstanding requests stay with the device, and their completions
     * still arrive, with the number alone. If adopting fails, the native queue pair stays the caller's. Any thread.
     *
     * @param adoption the native queue pair
     * @param config what the vendor's call was given: completion queues, shared receive queue, type, and at most the
     *     sizes that it was created with; {@link QueuePairConfig#sendOps} must be empty
     * @throws IllegalArgumentException if the native queue pair is of another device or domain, or has another number,
     *     type or queue or smaller sizes than said, or is adopted already
     * @throws IllegalStateException if the domain or a queue is closed
     * @throws ResourceException if its state cannot be queried
     * @throws UnsupportedOperationException if the provider has no native objects, or of the types of XRC
     */
    default QueuePair adopt(Adoption adoption, QueuePairConfig config) {
        throw lacks("native queue pairs to adopt");
    }

    /**
     * Makes an address handle ({@code ibv_create_ah(3)}).
     *
     * @throws IllegalArgumentException if a number of {@code config} is beyond its range
     * @throws UnsupportedOperationException if the device has no datagrams
     */
    default AddressHandle addressHandle(AddressHandleConfig config) {
        throw new UnsupportedOperationException(
                "the device does not support datagrams; remedy: use ibverbs on InfiniBand or RoCE, which have"
                        + " address handles");
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
                "the device does not support datagrams; remedy: use ibverbs on InfiniBand or RoCE, which have"
                        + " address handles");
    }

    /**
     * Destroys the domain.
     *
     * @throws IllegalStateException naming what of it is still open
     */
    @Override
    void close();
}
