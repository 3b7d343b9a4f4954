package org.panamaverbs.spi.support;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.DatagramDestination;
import org.panamaverbs.api.DatagramSendQueue;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * A {@link SendQueue} over a few posts of raw keys and addresses, which a provider implements and which it alone
 * checks. The named operations check the bounds of both sides and the rights of the remote one first; a
 * {@link WorkRequest} is handed on as it is. The rules of {@link SendQueue} on results, memory and threads hold here,
 * too.
 *
 * <p>Values are parameters here and not a request, since any thread may post: a request that a queue pair keeps can be
 * filled only with the queue pair's lock held, which a named operation does not have.
 */
public interface RawSendQueue extends SendQueue, DatagramSendQueue {
    /**
     * Posts {@code operation} with one local scatter/gather entry (SGE).
     *
     * @param operation a Send, Write or Read opcode, or {@link SendOpcode#IMMEDIATE} ({@code opcode})
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()} ({@code wr_id})
     * @param address the local address ({@code sg_list->addr})
     * @param length bytes, from 0 to 2^32-1 ({@code sg_list->length})
     * @param lkey the local key ({@code sg_list->lkey})
     * @param remoteAddress the remote address, a tagged offset in iWARP; ignored by Sends ({@code wr.rdma.remote_addr})
     * @param rkey the remote key, an STag in iWARP; ignored by Sends ({@code wr.rdma.rkey})
     * @param immediate the immediate data, up to {@link Capabilities#immediateBytes()}: of 4 bytes, from 0 to 2^32-1 or
     *     a sign-extended {@code int} ({@code imm_data}); the peer's rkey for {@link SendOpcode#SEND_WITH_INVALIDATE}
     *     ({@code invalidate_rkey}); ignored by others
     * @param flags {@link SendFlag}s ({@code send_flags})
     * @return a {@link PostStatus}
     * @throws UnsupportedOperationException if the device lacks the operation, naming device and capability
     * @throws IllegalStateException if the queue pair is closed
     */
    int post(
            SendOpcode operation,
            long wrId,
            long address,
            long length,
            int lkey,
            long remoteAddress,
            int rkey,
            long immediate,
            int flags);

    /**
     * Posts {@code operation} with several local SGEs; otherwise as {@link #post(SendOpcode, long, long, long, int,
     * long, int, long, int)}.
     *
     * @param operation a Send, Write or Read opcode, or {@link SendOpcode#IMMEDIATE} ({@code opcode})
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()} ({@code wr_id})
     * @param local the SGEs, up to {@link QueuePairConfig#maxSendSge()}, of a Read up to
     *     {@link Capabilities#maxSgeRead()}; copied by the post ({@code sg_list}, {@code num_sge})
     * @param remoteAddress the remote address; ignored by Sends ({@code wr.rdma.remote_addr})
     * @param rkey the remote key; ignored by Sends ({@code wr.rdma.rkey})
     * @param immediate the immediate data ({@code imm_data}), or the peer's rkey ({@code invalidate_rkey})
     * @param flags {@link SendFlag}s ({@code send_flags})
     * @return a {@link PostStatus}
     */
    int post(SendOpcode operation, long wrId, SgList local, long remoteAddress, int rkey, long immediate, int flags);

    /**
     * Posts a Send or Write whose payload is copied from {@code data} ({@code IBV_SEND_INLINE}); otherwise as
     * {@link #post(SendOpcode, long, long, long, int, long, int, long, int)}.
     *
     * @param operation a Send or Write opcode ({@code opcode})
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()} ({@code wr_id})
     * @param data any memory, also on the heap; the caller's again when this returns
     * @param offset first byte in {@code data}
     * @param length bytes, from 0 to {@link QueuePairConfig#maxInlineBytes()}
     * @param remoteAddress the remote address; ignored by Sends ({@code wr.rdma.remote_addr})
     * @param rkey the remote key; ignored by Sends ({@code wr.rdma.rkey})
     * @param immediate the immediate data ({@code imm_data}), or the peer's rkey ({@code invalidate_rkey})
     * @param flags {@link SendFlag}s; {@link SendFlag#INLINE} is implied ({@code send_flags})
     * @return a {@link PostStatus}
     * @throws IndexOutOfBoundsException if the range is not within {@code data}
     */
    int postInline(
            SendOpcode operation,
            long wrId,
            MemorySegment data,
            long offset,
            long length,
            long remoteAddress,
            int rkey,
            long immediate,
            int flags);

    /**
     * Posts an atomic operation on a 64-bit cell; the previous value lands at {@code address} in native byte order.
     *
     * @param operation {@link SendOpcode#FETCH_ADD}, {@link SendOpcode#CMP_SWAP} or a masked one ({@code opcode})
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()} ({@code wr_id})
     * @param address the local address of the 8-byte result ({@code sg_list->addr})
     * @param lkey the local key ({@code sg_list->lkey})
     * @param remoteAddress the remote address of the cell, a multiple of 8 ({@code wr.atomic.remote_addr})
     * @param rkey the remote key ({@code wr.atomic.rkey})
     * @param compareOrAdd the expected value or the addend ({@code wr.atomic.compare_add})
     * @param swap the new value; ignored by FetchAdd ({@code wr.atomic.swap})
     * @param compareOrFieldMask the bits to compare, or of a FetchAdd the top bit of each field; ignored unless masked
     * @param swapMask the bits to store; ignored unless {@link SendOpcode#MASKED_CMP_SWAP}
     * @param flags {@link SendFlag}s without {@link SendFlag#INLINE} ({@code send_flags})
     * @return a {@link PostStatus}
     * @throws UnsupportedOperationException if the device lacks the operation, naming device and capability
     * @throws IllegalStateException if the queue pair is closed
     */
    int postAtomic(
            SendOpcode operation,
            long wrId,
            long address,
            int lkey,
            long remoteAddress,
            int rkey,
            long compareOrAdd,
            long swap,
            long compareOrFieldMask,
            long swapMask,
            int flags);

    /**
     * Binds a window; otherwise as {@link #bind}.
     *
     * @param access the rights of peers, a mask of {@link Access#bit}
     */
    int postBind(
            long wrId, MemoryWindow window, RegisteredBuffer buffer, long offset, long length, int access, int flags);

    /** Invalidates an rkey of this side; otherwise as {@link #localInvalidate}. */
    int postLocalInvalidate(long wrId, int rkey, int flags);

    /**
     * Posts a datagram; otherwise as {@link #post(SendOpcode, long, SgList, long, int, long, int)}.
     *
     * @param operation {@link SendOpcode#SEND} or {@link SendOpcode#SEND_WITH_IMMEDIATE}
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param local the SGEs of the payload; copied by the post
     * @param destination an address handle of the queue pair's domain ({@code wr.ud.ah})
     * @param remoteQpNumber the peer's queue pair number, 24 bits ({@code wr.ud.remote_qpn})
     * @param qkey the Q_Key of the peer's queue pair ({@code wr.ud.remote_qkey})
     * @param immediate the immediate data, from 0 to 2^32-1 or a sign-extended {@code int} ({@code imm_data})
     * @param flags {@link SendFlag}s
     * @return a {@link PostStatus}
     * @throws UnsupportedOperationException if the device or the queue pair does not support datagrams; such a device
     *     refuses even if the queue pair is closed
     * @throws IllegalArgumentException if the address handle is of another domain
     * @throws IllegalStateException if the queue pair or the address handle is closed
     */
    default int postDatagram(
            SendOpcode operation,
            long wrId,
            SgList local,
            AddressHandle destination,
            int remoteQpNumber,
            int qkey,
            long immediate,
            int flags) {
        throw new UnsupportedOperationException(
                "the queue pair does not send datagrams; remedy: create it with type UD on a device that supports it"
                        + " (ibverbs on InfiniBand or RoCE)");
    }

    @Override
    default int postDatagram(
            SendOpcode operation, long wrId, SgList local, DatagramDestination destination, long immediate, int flags) {
        return postDatagram(
                operation,
                wrId,
                local,
                destination.addressHandle(),
                destination.qpNumber(),
                destination.qkey(),
                immediate,
                flags);
    }

    @Override
    default int post(WorkRequest request) {
        SendOpcode opcode = request.opcode();
        long wrId = request.wrId();
        int flags = request.flags();
        long immediate = request.immediate();
        AddressHandle destination = request.addressHandle();
        MemorySegment data = request.data();
        if (destination != null) {
            boolean malformed = data != null || request.length() < 0 || request.length() > SgList.MAX_LENGTH;
            // A Read is no datagram, so the provider refuses it, behind the faults that come before.
            return postDatagram(
                    malformed ? SendOpcode.RDMA_READ : opcode,
                    wrId,
                    malformed ? SgList.ofCapacity(1) : request.gathered(),
                    destination,
                    request.remoteQpNumber(),
                    request.qkey(),
                    immediate,
                    flags);
        }
        long remoteAddress = request.checkedRemoteAddress();
        int rkey = request.rkey();
        if (data != null) {
            return postInline(
                    opcode, wrId, data, request.offset(), request.length(), remoteAddress, rkey, immediate, flags);
        }
        SgList list = request.list();
        if (list != null) {
            return post(opcode, wrId, list, remoteAddress, rkey, immediate, flags);
        }
        if (opcode.isAtomic() && request.length() == Long.BYTES) {
            return postAtomic(
                    opcode,
                    wrId,
                    request.address(),
                    request.lkey(),
                    remoteAddress,
                    rkey,
                    request.compareOrAdd(),
                    request.swap(),
                    request.compareOrFieldMask(),
                    request.swapMask(),
                    flags);
        }
        if (opcode == SendOpcode.BIND_WINDOW) {
            MemoryWindow window = request.window();
            RegisteredBuffer buffer = request.buffer();
            if (window != null && buffer != null) {
                return postBind(wrId, window, buffer, request.offset(), request.length(), request.access(), flags);
            }
        } else if (opcode == SendOpcode.LOCAL_INVALIDATE && request.length() == 0 && immediate >>> Integer.SIZE == 0) {
            return postLocalInvalidate(wrId, (int) immediate, flags);
        }
        // What is malformed goes this way as well: the provider refuses an operation that this does not post.
        return post(
                opcode,
                wrId,
                request.address(),
                request.length(),
                request.lkey(),
                remoteAddress,
                rkey,
                immediate,
                flags);
    }

    @Override
    default int send(long wrId, RegisteredBuffer buffer, long offset, long length, int flags) {
        long address = buffer.checkedAddress(offset, length);
        return post(SendOpcode.SEND, wrId, address, length, buffer.lkey(), 0, 0, 0, flags);
    }

    @Override
    default int send(long wrId, SgList list, int flags) {
        return post(SendOpcode.SEND, wrId, list, 0, 0, 0, flags);
    }

    @Override
    default int sendInline(long wrId, MemorySegment data, long offset, long length, int flags) {
        return postInline(SendOpcode.SEND, wrId, data, offset, length, 0, 0, 0, flags);
    }

    @Override
    default int sendWithInvalidate(long wrId, RegisteredBuffer buffer, long offset, long length, int rkey, int flags) {
        long address = buffer.checkedAddress(offset, length);
        return post(
                SendOpcode.SEND_WITH_INVALIDATE,
                wrId,
                address,
                length,
                buffer.lkey(),
                0,
                0,
                Integer.toUnsignedLong(rkey),
                flags);
    }

    @Override
    default int sendWithInvalidate(long wrId, SgList list, int rkey, int flags) {
        return post(SendOpcode.SEND_WITH_INVALIDATE, wrId, list, 0, 0, Integer.toUnsignedLong(rkey), flags);
    }

    @Override
    default int sendWithImmediate(
            long wrId, RegisteredBuffer buffer, long offset, long length, long immediate, int flags) {
        long address = buffer.checkedAddress(offset, length);
        return post(SendOpcode.SEND_WITH_IMMEDIATE, wrId, address, length, buffer.lkey(), 0, 0, immediate, flags);
    }

    @Override
    default int immediate(long wrId, long immediate, int flags) {
        return post(SendOpcode.IMMEDIATE, wrId, 0, 0, 0, 0, 0, immediate, flags);
    }

    @Override
    default int write(
            long wrId,
            RegisteredBuffer buffer,
            long offset,
            long length,
            RemoteBuffer remote,
            long remoteOffset,
            int flags) {
        long address = buffer.checkedAddress(offset, length);
        long target = remote.checkedOffset(remoteOffset, length, Access.REMOTE_WRITE);
        return post(SendOpcode.RDMA_WRITE, wrId, address, length, buffer.lkey(), target, remote.rkey(), 0, flags);
    }

    @Override
    default int write(long wrId, SgList list, RemoteBuffer remote, long remoteOffset, int flags) {
        long target = remote.checkedOffset(remoteOffset, list.totalBytes(), Access.REMOTE_WRITE);
        return post(SendOpcode.RDMA_WRITE, wrId, list, target, remote.rkey(), 0, flags);
    }

    @Override
    default int writeInline(
            long wrId,
            MemorySegment data,
            long offset,
            long length,
            RemoteBuffer remote,
            long remoteOffset,
            int flags) {
        long target = remote.checkedOffset(remoteOffset, length, Access.REMOTE_WRITE);
        return postInline(SendOpcode.RDMA_WRITE, wrId, data, offset, length, target, remote.rkey(), 0, flags);
    }

    @Override
    default int writeWithImmediate(
            long wrId,
            RegisteredBuffer buffer,
            long offset,
            long length,
            RemoteBuffer remote,
            long remoteOffset,
            long immediate,
            int flags) {
        long address = buffer.checkedAddress(offset, length);
        long target = remote.checkedOffset(remoteOffset, length, Access.REMOTE_WRITE);
        return post(
                SendOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                wrId,
                address,
                length,
                buffer.lkey(),
                target,
                remote.rkey(),
                immediate,
                flags);
    }

    @Override
    default int read(
            long wrId,
            RegisteredBuffer buffer,
            long offset,
            long length,
            RemoteBuffer remote,
            long remoteOffset,
            int flags) {
        long address = buffer.checkedAddress(offset, length);
        long source = remote.checkedOffset(remoteOffset, length, Access.REMOTE_READ);
        return post(SendOpcode.RDMA_READ, wrId, address, length, buffer.lkey(), source, remote.rkey(), 0, flags);
    }

    @Override
    default int fetchAdd(
            long wrId,
            RegisteredBuffer result,
            long resultOffset,
            RemoteBuffer remote,
            long remoteOffset,
            long add,
            int flags) {
        long address = result.checkedAddress(resultOffset, Long.BYTES);
        long target = remote.checkedAtomicOffset(remoteOffset);
        return postAtomic(
                SendOpcode.FETCH_ADD, wrId, address, result.lkey(), target, remote.rkey(), add, 0, 0, 0, flags);
    }

    @Override
    default int maskedFetchAdd(
            long wrId,
            RegisteredBuffer result,
            long resultOffset,
            RemoteBuffer remote,
            long remoteOffset,
            long add,
            long fieldMask,
            int flags) {
        long address = result.checkedAddress(resultOffset, Long.BYTES);
        long target = remote.checkedAtomicOffset(remoteOffset);
        return postAtomic(
                SendOpcode.MASKED_FETCH_ADD,
                wrId,
                address,
                result.lkey(),
                target,
                remote.rkey(),
                add,
                0,
                fieldMask,
                0,
                flags);
    }

    @Override
    default int cmpSwap(
            long wrId,
            RegisteredBuffer result,
            long resultOffset,
            RemoteBuffer remote,
            long remoteOffset,
            long compare,
            long swap,
            int flags) {
        long address = result.checkedAddress(resultOffset, Long.BYTES);
        long target = remote.checkedAtomicOffset(remoteOffset);
        return postAtomic(
                SendOpcode.CMP_SWAP,
                wrId,
                address,
                result.lkey(),
                target,
                remote.rkey(),
                compare,
                swap,
                -1L,
                -1L,
                flags);
    }

    @Override
    default int maskedCmpSwap(
            long wrId,
            RegisteredBuffer result,
            long resultOffset,
            RemoteBuffer remote,
            long remoteOffset,
            long compare,
            long swap,
            long compareMask,
            long swapMask,
            int flags) {
        long address = result.checkedAddress(resultOffset, Long.BYTES);
        long target = remote.checkedAtomicOffset(remoteOffset);
        return postAtomic(
                SendOpcode.MASKED_CMP_SWAP,
                wrId,
                address,
                result.lkey(),
                target,
                remote.rkey(),
                compare,
                swap,
                compareMask,
                swapMask,
                flags);
    }

    @Override
    default int swap(
            long wrId,
            RegisteredBuffer result,
            long resultOffset,
            RemoteBuffer remote,
            long remoteOffset,
            long value,
            int flags) {
        return maskedCmpSwap(wrId, result, resultOffset, remote, remoteOffset, 0, value, 0, -1L, flags);
    }

    @Override
    default int bind(
            long wrId,
            MemoryWindow window,
            RegisteredBuffer buffer,
            long offset,
            long length,
            int flags,
            Access... access) {
        return postBind(wrId, window, buffer, offset, length, Access.mask(access), flags);
    }

    @Override
    default int localInvalidate(long wrId, int rkey, int flags) {
        return postLocalInvalidate(wrId, rkey, flags);
    }
}
