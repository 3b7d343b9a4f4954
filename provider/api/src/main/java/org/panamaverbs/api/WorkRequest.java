package org.panamaverbs.api;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * A send work request, {@code struct ibv_send_wr}: the general form of every post. {@link SendQueue#post} of a
 * {@link QueuePair} posts it at once, that of a {@link Batch} collects it; the named methods of {@link SendQueue} are
 * its short forms. {@link SendOpcode} lists which operation needs which fields.
 *
 * <p>Create it once and refill it: {@link #opcode} begins a request and clears all other fields, the other methods set
 * one each, in any order. Nothing is allocated. A post copies the request: it may be changed or posted again as soon as
 * the post returns. Not thread-safe.
 *
 * <pre>{@code
 * WorkRequest request = WorkRequest.of(SendOpcode.RDMA_WRITE); // kept by the posting thread
 * for (int i = 0; i < 4; i++) {
 *     request.opcode(SendOpcode.RDMA_WRITE)
 *             .wrId(i)
 *             .local(buffer, i * 512, 512)
 *             .remote(remote, i * 512)
 *             .flags(i == 3 ? SIGNALED : NONE);
 *     PostStatus.check(batch.post(request));
 * }
 * batch.submitAll();
 * }</pre>
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_send.3.html">ibv_post_send(3)</a>
 */
public final class WorkRequest {
    private SendOpcode opcode;
    private long wrId;
    private int flags;
    private long address;
    private long offset;
    private long length;
    private int lkey;
    private @Nullable SgList list;
    private @Nullable MemorySegment data;
    private @Nullable RemoteBuffer remote;
    private long remoteAddress;
    private int rkey;
    private long immediate;
    private long compareOrAdd;
    private long swap;
    private long compareOrFieldMask;
    private long swapMask;
    private @Nullable MemoryWindow window;
    private @Nullable RegisteredBuffer buffer;
    private int access;
    private @Nullable AddressHandle addressHandle;
    private int remoteQpNumber;
    private int qkey;
    private final SgList single = SgList.ofCapacity(1);

    private WorkRequest(SendOpcode opcode) {
        this.opcode = opcode;
    }

    /** Creates a request as {@link #opcode} begins it. */
    public static WorkRequest of(SendOpcode opcode) {
        return new WorkRequest(Objects.requireNonNull(opcode, "opcode"));
    }

    /**
     * Begins a request ({@code opcode}): id 0, no flags, no local memory, no remote address, no immediate data. Returns
     * this request, as all setters do.
     */
    public WorkRequest opcode(SendOpcode newOpcode) {
        opcode = Objects.requireNonNull(newOpcode, "opcode");
        wrId = 0;
        flags = 0;
        local(0, 0, 0);
        remote(0, 0);
        immediate = 0;
        operands(0, 0);
        masks(0, 0);
        window = null;
        buffer = null;
        access = 0;
        addressHandle = null;
        remoteQpNumber = 0;
        qkey = 0;
        return this;
    }

    /** Sets the opaque id that {@link WorkCompletion#wrId()} returns ({@code wr_id}). */
    public WorkRequest wrId(long newWrId) {
        wrId = newWrId;
        return this;
    }

    /** Sets {@link SendFlag}s, combined with {@code |} ({@code send_flags}). */
    public WorkRequest flags(int newFlags) {
        flags = newFlags;
        return this;
    }

    /**
     * Sets the local memory to one scatter/gather entry (SGE), in place of any other ({@code sg_list}).
     *
     * @param memory memory of the queue pair's protection domain; its address and key are stored
     * @param first first byte in {@code memory}
     * @param bytes from 0 to 2^32-1; 8 for an atomic
     * @throws IndexOutOfBoundsException if the range is not within {@code memory}
     * @throws IllegalStateException if {@code memory} is closed
     */
    public WorkRequest local(RegisteredBuffer memory, long first, long bytes) {
        return local(memory.checkedAddress(first, bytes), bytes, memory.lkey());
    }

    /**
     * Sets the local memory to one SGE of a raw address and key, in place of any other. The provider checks them: wrong
     * ones end the request with {@link WcStatus#LOCAL_PROTECTION_ERROR}.
     *
     * @param newAddress the local address ({@code sg_list->addr})
     * @param bytes from 0 to 2^32-1 ({@code sg_list->length})
     * @param newLkey the local key ({@code sg_list->lkey})
     */
    public WorkRequest local(long newAddress, long bytes, int newLkey) {
        address = newAddress;
        length = bytes;
        lkey = newLkey;
        list = null;
        data = null;
        offset = 0;
        return this;
    }

    /**
     * Sets the local memory to several SGEs, in place of any other ({@code sg_list}, {@code num_sge}).
     *
     * @param entries up to {@link QueuePairConfig#maxSendSge()}, of a Read up to {@link Capabilities#maxSgeRead()}; the
     *     post copies them as they are then
     */
    public WorkRequest local(SgList entries) {
        local(0, 0, 0);
        list = Objects.requireNonNull(entries, "list");
        return this;
    }

    /**
     * Sets the payload of a Send or Write, in place of local memory: the post copies it, and {@link SendFlag#INLINE} is
     * implied ({@code IBV_SEND_INLINE}). A datagram takes local memory with that flag instead.
     *
     * @param payload any memory, also on the heap
     * @param first first byte in {@code payload}
     * @param bytes from 0 to {@link QueuePairConfig#maxInlineBytes()}; the post checks the range
     */
    public WorkRequest inline(MemorySegment payload, long first, long bytes) {
        local(0, bytes, 0);
        data = Objects.requireNonNull(payload, "payload");
        offset = first;
        return this;
    }

    /**
     * Sets the peer's memory for a Write, a Read or an atomic ({@code wr.rdma}, {@code wr.atomic}). The post checks
     * range, right and, of an atomic, the alignment of the address.
     *
     * @param memory with the right that the operation needs: {@link Access#REMOTE_WRITE}, {@link Access#REMOTE_READ} or
     *     {@link Access#REMOTE_ATOMIC}
     * @param first first byte in {@code memory}
     */
    public WorkRequest remote(RemoteBuffer memory, long first) {
        remote = memory;
        remoteAddress = first;
        rkey = memory.rkey();
        return this;
    }

    /**
     * Sets the peer's memory by a raw address and key, which the peer alone checks.
     *
     * @param newAddress the remote address, a tagged offset in iWARP ({@code remote_addr})
     * @param newRkey the remote key, an STag in iWARP ({@code rkey})
     */
    public WorkRequest remote(long newAddress, int newRkey) {
        remote = null;
        remoteAddress = newAddress;
        rkey = newRkey;
        return this;
    }

    /**
     * Sets the immediate data ({@code imm_data}).
     *
     * @param value up to {@link Capabilities#immediateBytes()}: of 4 bytes, from 0 to 2^32-1 or a sign-extended
     *     {@code int}
     */
    public WorkRequest immediate(long value) {
        immediate = value;
        return this;
    }

    /**
     * Sets the rkey to invalidate: the peer's for {@link SendOpcode#SEND_WITH_INVALIDATE}, one of this side for
     * {@link SendOpcode#LOCAL_INVALIDATE} ({@code invalidate_rkey}). It takes the place of the immediate data.
     */
    public WorkRequest invalidate(int key) {
        immediate = Integer.toUnsignedLong(key);
        return this;
    }

    /** Sets the addend of a FetchAdd; wraps ({@code wr.atomic.compare_add}). */
    public WorkRequest add(long addend) {
        return operands(addend, 0);
    }

    /**
     * Sets the operands of a CmpSwap.
     *
     * @param compare the expected value ({@code wr.atomic.compare_add})
     * @param newValue the new value ({@code wr.atomic.swap})
     */
    public WorkRequest compareAndSwap(long compare, long newValue) {
        return operands(compare, newValue);
    }

    private WorkRequest operands(long first, long second) {
        compareOrAdd = first;
        swap = second;
        return this;
    }

    /** Sets the top bit of each field of a masked FetchAdd, where no carry leaves it; 0 for one field of 64 bits. */
    public WorkRequest fieldMask(long mask) {
        return masks(mask, 0);
    }

    /**
     * Sets the masks of a masked CmpSwap.
     *
     * @param compareMask the bits to compare; 0 always matches
     * @param newSwapMask the bits to store; the others keep their value
     */
    public WorkRequest masks(long compareMask, long newSwapMask) {
        compareOrFieldMask = compareMask;
        swapMask = newSwapMask;
        return this;
    }

    /**
     * Sets what {@link SendOpcode#BIND_WINDOW} binds ({@code bind_mw}); {@link SendQueue#bind} says what can fail.
     *
     * @param newWindow a window of the queue pair's protection domain ({@code bind_mw.mw})
     * @param memory a buffer of the same domain ({@code bind_mw.bind_info.mr})
     * @param first first byte in {@code memory} ({@code bind_mw.bind_info.addr} less its base)
     * @param bytes 0 unbinds ({@code bind_mw.bind_info.length})
     * @param rights of peers, a mask of {@link Access#bit} ({@code bind_mw.bind_info.mw_access_flags})
     */
    public WorkRequest window(MemoryWindow newWindow, RegisteredBuffer memory, long first, long bytes, int rights) {
        local(0, bytes, 0);
        window = Objects.requireNonNull(newWindow, "window");
        buffer = Objects.requireNonNull(memory, "memory");
        offset = first;
        access = rights;
        return this;
    }

    /**
     * Sets the destination of a datagram ({@code wr.ud}), which makes the request one.
     *
     * @param destination an address handle of the queue pair's domain ({@code ah})
     * @param qpNumber the peer's queue pair number, 24 bits ({@code remote_qpn})
     * @param newQkey the Q_Key of the peer's queue pair ({@code remote_qkey})
     */
    public WorkRequest destination(AddressHandle destination, int qpNumber, int newQkey) {
        addressHandle = Objects.requireNonNull(destination, "destination");
        remoteQpNumber = qpNumber;
        qkey = newQkey;
        return this;
    }

    /** Sets the destination of a datagram to one found by the connection manager. */
    public WorkRequest destination(DatagramDestination destination) {
        return destination(destination.addressHandle(), destination.qpNumber(), destination.qkey());
    }

    /** Returns the operation. */
    public SendOpcode opcode() {
        return opcode;
    }

    /** Returns the id. */
    public long wrId() {
        return wrId;
    }

    /** Returns the {@link SendFlag}s, as they were set. */
    public int flags() {
        return flags;
    }

    /** Returns the address of the only SGE, 0 if there is none. */
    public long address() {
        return address;
    }

    /** Returns the key of the only SGE, 0 if there is none. */
    public int lkey() {
        return lkey;
    }

    /** Returns the bytes of the only SGE, of the inline data, or of a bind; 0 with several SGEs. */
    public long length() {
        return length;
    }

    /** Returns the first byte of inline data, or of a bind; 0 without either. */
    public long offset() {
        return offset;
    }

    /** Returns the SGEs, null if they were not given as a list. */
    public @Nullable SgList list() {
        return list;
    }

    /** Returns the SGEs as a list, also the only one; valid until the next call. */
    public SgList gathered() {
        SgList given = list;
        return given == null ? single.clear().add(address, length, lkey) : given;
    }

    /** Returns the inline data, null if there are none. */
    public @Nullable MemorySegment data() {
        return data;
    }

    /**
     * Returns the remote address; 0 for an operation that has none.
     *
     * @throws IndexOutOfBoundsException if the range is not within the {@link RemoteBuffer}
     * @throws IllegalArgumentException if that does not grant the right, or the cell of an atomic is not aligned
     */
    public long checkedRemoteAddress() {
        RemoteBuffer memory = remote;
        if (memory == null) {
            return remoteAddress;
        }
        Access right = opcode.remoteAccess();
        if (right == null) {
            return 0;
        }
        if (opcode.isAtomic()) {
            return memory.checkedAtomicOffset(remoteAddress);
        }
        SgList given = list;
        return memory.checkedOffset(remoteAddress, given == null ? length : given.totalBytes(), right);
    }

    /** Returns the remote key, 0 if there is none. */
    public int rkey() {
        return rkey;
    }

    /** Returns the immediate data, or the key to invalidate; 0 without either. */
    public long immediate() {
        return immediate;
    }

    /** Returns the expected value or the addend of an atomic. */
    public long compareOrAdd() {
        return compareOrAdd;
    }

    /** Returns the new value of a CmpSwap. */
    public long swap() {
        return swap;
    }

    /** Returns the bits that a masked CmpSwap compares, or the top bit of each field of a masked FetchAdd. */
    public long compareOrFieldMask() {
        return compareOrFieldMask;
    }

    /** Returns the bits that a masked CmpSwap stores. */
    public long swapMask() {
        return swapMask;
    }

    /** Returns the window to bind, null if there is none. */
    public @Nullable MemoryWindow window() {
        return window;
    }

    /** Returns the memory that the window is bound to, null if there is none. */
    public @Nullable RegisteredBuffer buffer() {
        return buffer;
    }

    /** Returns the rights that a bind grants peers. */
    public int access() {
        return access;
    }

    /** Returns the destination of a datagram, null if this is none. */
    public @Nullable AddressHandle addressHandle() {
        return addressHandle;
    }

    /** Returns the queue pair number that a datagram goes to. */
    public int remoteQpNumber() {
        return remoteQpNumber;
    }

    /** Returns the Q_Key of a datagram. */
    public int qkey() {
        return qkey;
    }

    /** Returns operation, id, bytes and remote address, for messages. */
    @Override
    public String toString() {
        SgList given = list;
        return "%s, wr_id %d, %d bytes%s"
                .formatted(
                        opcode,
                        wrId,
                        given == null ? length : given.totalBytes(),
                        remoteAddress == 0 && rkey == 0
                                ? ""
                                : ", %s 0x%x under rkey 0x%08x"
                                        .formatted(remote == null ? "address" : "offset", remoteAddress, rkey));
    }
}
