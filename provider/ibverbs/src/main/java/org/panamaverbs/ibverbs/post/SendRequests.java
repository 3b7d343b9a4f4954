package org.panamaverbs.ibverbs.post;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.context.Region;
import org.panamaverbs.ibverbs.memory.IbvMemoryWindow;
import org.panamaverbs.spi.support.WindowBinding;

/** Checks send requests against the limits of their queue pair and writes them into slots. */
public final class SendRequests {
    private static final int PLAIN_FLAGS = SendFlag.FENCE | SendFlag.SIGNALED | SendFlag.SOLICITED;
    // infiniband/verbs.h: enum ibv_wr_opcode
    static final int IBV_WR_RDMA_WRITE = 0;
    private static final int IBV_WR_RDMA_WRITE_WITH_IMM = 1;
    private static final int IBV_WR_SEND = 2;
    static final int IBV_WR_SEND_WITH_IMM = 3;
    static final int IBV_WR_RDMA_READ = 4;
    private static final int IBV_WR_ATOMIC_CMP_AND_SWP = 5;
    static final int IBV_WR_ATOMIC_FETCH_AND_ADD = 6;
    private static final int IBV_WR_LOCAL_INV = 7;
    static final int IBV_WR_BIND_MW = 8;
    private static final int IBV_WR_SEND_WITH_INV = 9;
    private static final int[] CODES =
            Arrays.stream(SendOpcode.values()).mapToInt(SendRequests::numberOf).toArray();
    private static final int ATOMIC_BYTES = 8;

    private final NativeQueuePair queuePair;
    private final IbvContext context;
    private final SendSlots slots;
    private final int maxSge;
    private final int maxInline;
    private final int maxSgeRead;
    private final long maxMessage;
    private final int readFlags;
    // Of transfers, without INLINE.
    private final int transferFlags;
    // Of all operations, those that the device has; and of these, those that the type of the queue pair can post.
    private final EnumSet<SendOpcode> supported = EnumSet.noneOf(SendOpcode.class);
    private final EnumSet<SendOpcode> posted;

    /** Creates what writes the requests of {@code queuePair} into {@code slots}. */
    public SendRequests(NativeQueuePair queuePair, SendSlots slots) {
        this.queuePair = queuePair;
        this.slots = slots;
        context = queuePair.context();
        maxSge = queuePair.config().maxSendSge();
        maxInline = queuePair.config().maxInlineBytes();
        Capabilities capabilities = context.capabilities();
        maxSgeRead = Math.min(maxSge, capabilities.maxSgeRead());
        maxMessage = capabilities.maxMessageBytes();
        readFlags = context.quirks().readTakesNoFence() ? ~SendFlag.FENCE : -1;
        transferFlags = capabilities.has(Feature.CHECKSUM_OFFLOAD) ? PLAIN_FLAGS | SendFlag.IP_CSUM : PLAIN_FLAGS;
        for (SendOpcode operation : SendOpcode.values()) {
            if (capabilities.has(operation)) {
                supported.add(operation);
            }
        }
        posted = EnumSet.copyOf(supported);
        posted.retainAll(queuePair.config().type().sendOpcodes());
    }

    SendSlots slots() {
        return slots;
    }

    /** Tells whether the type of the queue pair can post {@code operation}, and the device has it. */
    boolean posts(SendOpcode operation) {
        return posted.contains(operation);
    }

    /**
     * Does nothing if the device has {@code operation}.
     *
     * @throws IllegalStateException otherwise, if the queue pair is closed
     * @throws UnsupportedOperationException otherwise
     */
    void requireSupported(SendOpcode operation) {
        if (!supported.contains(operation)) {
            queuePair.requireOpen();
            unsupported(operation);
        }
    }

    private void unsupported(SendOpcode operation) {
        Capabilities capabilities = context.capabilities();
        if (operation.features().contains(Feature.MASKED_ATOMICS) && capabilities.has(Feature.ATOMICS)) {
            throw new UnsupportedOperationException("device " + context.device() + " lacks " + Feature.MASKED_ATOMICS
                    + "; remedy: use EmulatedMaskedAtomics, which needs only CmpSwap, or provider iwarp");
        }
        capabilities.require(operation, context.device());
    }

    /** Returns {@code operation} as {@code enum ibv_wr_opcode}, -1 if it has none there. */
    @SuppressWarnings("EnumOrdinal") // read for each post
    public static int code(SendOpcode operation) {
        return CODES[operation.ordinal()];
    }

    private static int numberOf(SendOpcode operation) {
        return switch (operation) {
            case SEND -> IBV_WR_SEND;
            case SEND_WITH_INVALIDATE -> IBV_WR_SEND_WITH_INV;
            case SEND_WITH_IMMEDIATE, IMMEDIATE -> IBV_WR_SEND_WITH_IMM;
            case RDMA_WRITE -> IBV_WR_RDMA_WRITE;
            case RDMA_WRITE_WITH_IMMEDIATE -> IBV_WR_RDMA_WRITE_WITH_IMM;
            case RDMA_READ -> IBV_WR_RDMA_READ;
            case FETCH_ADD -> IBV_WR_ATOMIC_FETCH_AND_ADD;
            case CMP_SWAP -> IBV_WR_ATOMIC_CMP_AND_SWP;
            case LOCAL_INVALIDATE -> IBV_WR_LOCAL_INV;
            case BIND_WINDOW -> IBV_WR_BIND_MW;
            default -> -1; // no device claims its feature
        };
    }

    /**
     * Returns the first fault of a transfer in the order of {@link PostStatus}. The paths of what is accepted look for
     * any fault, and come here to be told which.
     *
     * @param refusal what is told of a transfer without fault: {@link PostStatus#ACCEPTED}, or why nothing can be
     *     posted now, {@link PostStatus#NOT_CONNECTED} or {@link PostStatus#QUEUE_FULL}
     */
    int fault(int refusal, SendOpcode operation, int pieces, long length, long immediate, int flags) {
        boolean inline = (flags & SendFlag.INLINE) != 0;
        if (!operation.isTransfer()
                || (flags & ~(transferFlags | SendFlag.INLINE)) != 0
                || length < 0
                || isCutOff(immediate, operation)
                || (inline && !operation.carriesPayload())
                || (operation == SendOpcode.IMMEDIATE && length != 0)) {
            return PostStatus.INVALID;
        }
        if (refusal == PostStatus.NOT_CONNECTED) {
            return refusal;
        }
        if (operation == SendOpcode.RDMA_READ && queuePair.lacksInitiatorDepth()) {
            return PostStatus.NO_INITIATOR_DEPTH;
        }
        if (pieces > (operation == SendOpcode.RDMA_READ ? maxSgeRead : maxSge)) {
            return PostStatus.TOO_MANY_SEGMENTS;
        }
        if (inline && length > maxInline) {
            return PostStatus.INLINE_TOO_LONG;
        }
        return length > maxMessage ? PostStatus.MESSAGE_TOO_LONG : refusal;
    }

    /**
     * Returns the first fault of a transfer of {@code length} bytes of {@code data} from {@code offset}, as
     * {@link #fault}.
     *
     * @throws IndexOutOfBoundsException if they are not within the data
     */
    int inlineFault(
            int refusal,
            SendOpcode operation,
            MemorySegment data,
            long offset,
            long length,
            long immediate,
            int flags) {
        Objects.checkFromIndexSize(offset, length, data.byteSize());
        return fault(refusal, operation, 1, length, immediate, flags | SendFlag.INLINE);
    }

    /** Returns the first fault of an atomic, as {@link #fault}. */
    int atomicFault(int refusal, SendOpcode operation, int flags) {
        // Masked ones have no number here.
        return operation.isAtomic() && code(operation) >= 0 ? answeredFault(refusal, flags) : PostStatus.INVALID;
    }

    /** Returns the first fault of what the peer answers and that has nothing but flags, as {@link #fault}. */
    int answeredFault(int refusal, int flags) {
        boolean lacking =
                refusal != PostStatus.NOT_CONNECTED && refusal != PostStatus.INVALID && queuePair.lacksInitiatorDepth();
        return flagFault(lacking ? PostStatus.NO_INITIATOR_DEPTH : refusal, flags);
    }

    /** Returns the first fault of what has nothing but flags, none of them for inline data, as {@link #fault}. */
    static int flagFault(int refusal, int flags) {
        return (flags & ~PLAIN_FLAGS) == 0 ? refusal : PostStatus.INVALID;
    }

    /**
     * Tells whether 32 bits, which is what verbs.h has for immediate data, hold less than {@code immediate}: neither an
     * unsigned number nor an {@code int}.
     */
    private static boolean isCutOff(long immediate, SendOpcode operation) {
        return immediate >>> Integer.SIZE != 0 && immediate != (int) immediate && operation.carriesImmediate();
    }

    /**
     * Begins a transfer. The key to invalidate goes both here and where a remote key is: libsiw's push_send_wqe() takes
     * it from there.
     */
    private void begin(int slot, SendOpcode operation, long wrId, long immediate, int flags) {
        // verbs.h: the immediate data are __be32, the key to invalidate is in host order.
        int word = (int) immediate;
        slots.begin(
                slot,
                wrId,
                code(operation),
                operation == SendOpcode.RDMA_READ ? flags & readFlags : flags,
                operation == SendOpcode.SEND_WITH_INVALIDATE ? word : Integer.reverseBytes(word));
    }

    int transfer(
            int slot,
            SendOpcode operation,
            long wrId,
            long address,
            long length,
            int lkey,
            long remoteAddress,
            int rkey,
            long immediate,
            int flags) {
        if (!operation.isTransfer()
                || (flags & ~transferFlags) != 0
                || length < 0
                || length > maxMessage
                || isCutOff(immediate, operation)
                || (operation == SendOpcode.RDMA_READ && queuePair.lacksInitiatorDepth())
                || (operation == SendOpcode.IMMEDIATE && length != 0)) {
            int status = fault(PostStatus.ACCEPTED, operation, 1, length, immediate, flags);
            if (status != PostStatus.ACCEPTED) {
                return status;
            }
        }
        begin(slot, operation, wrId, immediate, flags);
        slots.remote(slot, remoteAddress, operation == SendOpcode.SEND_WITH_INVALIDATE ? (int) immediate : rkey);
        if ((flags & SendFlag.INLINE) != 0) {
            return inlineRegistered(slot, address, length, lkey);
        }
        // A Read keeps its sink even if it is empty: some drivers insist on one.
        if (length != 0 || operation == SendOpcode.RDMA_READ) {
            slots.piece(slot, 0, address, length, lkey);
            slots.pieces(slot, 1);
        }
        return PostStatus.ACCEPTED;
    }

    int transfer(
            int slot,
            SendOpcode operation,
            long wrId,
            SgList local,
            long remoteAddress,
            int rkey,
            long immediate,
            int flags) {
        int count = local.count();
        if (!operation.isTransfer()
                || (flags & ~transferFlags) != 0
                || count > (operation == SendOpcode.RDMA_READ ? maxSgeRead : maxSge)
                || local.totalBytes() > maxMessage
                || isCutOff(immediate, operation)
                || (operation == SendOpcode.RDMA_READ && queuePair.lacksInitiatorDepth())
                || (operation == SendOpcode.IMMEDIATE && local.totalBytes() != 0)) {
            int status = fault(PostStatus.ACCEPTED, operation, count, local.totalBytes(), immediate, flags);
            if (status != PostStatus.ACCEPTED) {
                return status;
            }
        }
        begin(slot, operation, wrId, immediate, flags);
        slots.remote(slot, remoteAddress, operation == SendOpcode.SEND_WITH_INVALIDATE ? (int) immediate : rkey);
        if ((flags & SendFlag.INLINE) != 0) {
            return inlineRegistered(slot, local);
        }
        int pieces = 0;
        for (int i = 0; i < count; i++) {
            if (local.length(i) != 0) {
                slots.piece(slot, pieces++, local.address(i), local.length(i), local.lkey(i));
            }
        }
        if (pieces == 0 && count != 0 && operation == SendOpcode.RDMA_READ) {
            slots.piece(slot, pieces++, local.address(0), 0, local.lkey(0));
        }
        slots.pieces(slot, pieces);
        return PostStatus.ACCEPTED;
    }

    /**
     * Copies registered memory here: drivers copy inline data from whatever address they are told, and a wrong one
     * would crash the process.
     */
    private int inlineRegistered(int slot, long address, long length, int lkey) {
        if (length != 0 && !copyRegistered(slot, 0, address, length, lkey)) {
            return PostStatus.INVALID;
        }
        slots.inlinePiece(slot, length);
        return PostStatus.ACCEPTED;
    }

    private int inlineRegistered(int slot, SgList local) {
        long used = 0;
        for (int i = 0; i < local.count(); i++) {
            long length = local.length(i);
            if (length != 0 && !copyRegistered(slot, used, local.address(i), length, local.lkey(i))) {
                return PostStatus.INVALID;
            }
            used += length;
        }
        slots.inlinePiece(slot, used);
        return PostStatus.ACCEPTED;
    }

    private boolean copyRegistered(int slot, long used, long address, long length, int lkey) {
        Region region = context.regions().find(lkey);
        if (region == null) {
            return false;
        }
        long offset = region.offsetOf(address, length);
        if (offset < 0) {
            return false;
        }
        return slots.copyInline(slot, used, region.segment(), offset, length);
    }

    int inline(
            int slot,
            SendOpcode operation,
            long wrId,
            MemorySegment data,
            long offset,
            long length,
            long remoteAddress,
            int rkey,
            long immediate,
            int flags) {
        if (!operation.carriesPayload()
                || (flags & ~(transferFlags | SendFlag.INLINE)) != 0
                || length < 0
                || length > maxInline
                || isCutOff(immediate, operation)) {
            return inlineFault(PostStatus.ACCEPTED, operation, data, offset, length, immediate, flags);
        }
        begin(slot, operation, wrId, immediate, flags | SendFlag.INLINE);
        slots.remote(slot, remoteAddress, operation == SendOpcode.SEND_WITH_INVALIDATE ? (int) immediate : rkey);
        if (!slots.copyInline(slot, 0, data, offset, length)) {
            return PostStatus.INVALID;
        }
        slots.inlinePiece(slot, length);
        return PostStatus.ACCEPTED;
    }

    int atomic(
            int slot,
            SendOpcode operation,
            long wrId,
            long address,
            int lkey,
            long remoteAddress,
            int rkey,
            long compareOrAdd,
            long swap,
            int flags) {
        int fault = atomicFault(PostStatus.ACCEPTED, operation, flags);
        if (fault != PostStatus.ACCEPTED) {
            return fault;
        }
        slots.begin(slot, wrId, code(operation), flags, 0);
        slots.atomic(slot, remoteAddress, rkey, compareOrAdd, swap);
        slots.piece(slot, 0, address, ATOMIC_BYTES, lkey);
        slots.pieces(slot, 1);
        return PostStatus.ACCEPTED;
    }

    int localInvalidate(int slot, long wrId, int stag, int flags) {
        if (flagFault(PostStatus.ACCEPTED, flags) != PostStatus.ACCEPTED) {
            return PostStatus.INVALID;
        }
        slots.begin(slot, wrId, IBV_WR_LOCAL_INV, flags, stag);
        return PostStatus.ACCEPTED;
    }

    int bind(int slot, long wrId, IbvMemoryWindow window, Region region, WindowBinding binding, int flags) {
        if (flagFault(PostStatus.ACCEPTED, flags) != PostStatus.ACCEPTED) {
            return PostStatus.INVALID;
        }
        slots.begin(slot, wrId, IBV_WR_BIND_MW, flags, 0);
        slots.bind(slot, window.handle().address(), region.handle().address(), binding);
        return PostStatus.ACCEPTED;
    }
}
