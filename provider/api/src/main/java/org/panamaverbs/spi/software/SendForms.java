package org.panamaverbs.spi.software;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.spi.support.RawSendQueue;

/** What a queue pair and its batch share: a post fills a place, and a subclass carries it out or collects it. */
abstract class SendForms implements RawSendQueue {
    private final SoftwareDevice device;

    SendForms(SoftwareDevice device) {
        this.device = device;
    }

    /** Returns the place for the next request; throws if the queue pair is closed. */
    abstract SendRequest place();

    /** Takes {@code request}, which is filled, or refuses it with a status. */
    abstract int take(SendRequest request);

    @Override
    public final int post(
            SendOpcode operation,
            long wrId,
            long address,
            long length,
            int lkey,
            long remoteAddress,
            int rkey,
            long immediate,
            int flags) {
        synchronized (device.lock()) {
            SendRequest request =
                    begin(operation, operation.isTransfer(), wrId, flags).to(remoteAddress, rkey, immediate);
            request.local.setOne(address, length, lkey);
            return take(request);
        }
    }

    @Override
    public final int post(
            SendOpcode operation, long wrId, SgList local, long remoteAddress, int rkey, long immediate, int flags) {
        synchronized (device.lock()) {
            SendRequest request =
                    begin(operation, operation.isTransfer(), wrId, flags).to(remoteAddress, rkey, immediate);
            request.local.setAll(local);
            return take(request);
        }
    }

    @Override
    public final int postInline(
            SendOpcode operation,
            long wrId,
            MemorySegment data,
            long offset,
            long length,
            long remoteAddress,
            int rkey,
            long immediate,
            int flags) {
        synchronized (device.lock()) {
            SendRequest request = begin(operation, operation.isTransfer(), wrId, flags | SendFlag.INLINE)
                    .to(remoteAddress, rkey, immediate);
            Objects.checkFromIndexSize(offset, length, data.byteSize());
            request.local.setInline(data, offset, length);
            return take(request);
        }
    }

    @Override
    public final int postAtomic(
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
            int flags) {
        boolean isMasked = operation == SendOpcode.MASKED_FETCH_ADD || operation == SendOpcode.MASKED_CMP_SWAP;
        synchronized (device.lock()) {
            SendRequest request =
                    begin(operation, operation.isAtomic(), wrId, flags).to(remoteAddress, rkey, 0);
            request.local.setOne(address, Long.BYTES, lkey);
            request.compareOrAdd = compareOrAdd;
            request.swap = swap;
            // A plain FetchAdd is one field, which no mask cuts; a plain CmpSwap compares and stores every bit.
            request.compareMask = isMasked ? compareOrFieldMask : operation == SendOpcode.CMP_SWAP ? -1L : 0;
            request.swapMask = isMasked ? swapMask : -1L;
            return take(request);
        }
    }

    @Override
    public final int postBind(
            long wrId, MemoryWindow window, RegisteredBuffer buffer, long offset, long length, int access, int flags) {
        return lacking(SendOpcode.BIND_WINDOW);
    }

    @Override
    public final int postLocalInvalidate(long wrId, int stag, int flags) {
        return lacking(SendOpcode.LOCAL_INVALIDATE);
    }

    /** Begins a request; a closed queue pair is told first, then that the device lacks the operation. */
    private SendRequest begin(SendOpcode operation, boolean fits, long wrId, int flags) {
        SendRequest request = place().begin(operation, fits, wrId, flags);
        device.limits().require(operation);
        return request;
    }

    /** Refuses what the device lacks; a closed queue pair is told first. */
    private int lacking(SendOpcode operation) {
        synchronized (device.lock()) {
            place();
        }
        device.limits().require(operation);
        return PostStatus.INVALID;
    }
}
