package org.panamaverbs.ibverbs.post;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.ibverbs.context.Region;
import org.panamaverbs.ibverbs.memory.Domain;
import org.panamaverbs.ibverbs.memory.IbvMemoryWindow;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.spi.support.RawSendQueue;
import org.panamaverbs.spi.support.Window;
import org.panamaverbs.spi.support.WindowBinding;

/**
 * Posts sends: how a request gets into a slot. A queue pair and its batch are both posted to in this way; they differ
 * in their {@link #target}.
 */
public interface SendPoster extends RawSendQueue {
    /** Returns what is posted to, always the same. */
    PostTarget target();

    @Override
    default int post(
            SendOpcode operation,
            long wrId,
            long address,
            long length,
            int lkey,
            long remoteAddress,
            int rkey,
            long immediate,
            int flags) {
        PostTarget target = target();
        target.require(operation);
        int slot = target.enter();
        if (slot < 0) {
            return target.requests.fault(slot, operation, 1, length, immediate, flags);
        }
        try {
            return target.answer(
                    slot,
                    target.requests.transfer(
                            slot, operation, wrId, address, length, lkey, remoteAddress, rkey, immediate, flags));
        } finally {
            target.entered.leave();
        }
    }

    @Override
    default int post(
            SendOpcode operation, long wrId, SgList local, long remoteAddress, int rkey, long immediate, int flags) {
        PostTarget target = target();
        target.require(operation);
        int slot = target.enter();
        if (slot < 0) {
            return target.requests.fault(slot, operation, local.count(), local.totalBytes(), immediate, flags);
        }
        try {
            return target.answer(
                    slot,
                    target.requests.transfer(slot, operation, wrId, local, remoteAddress, rkey, immediate, flags));
        } finally {
            target.entered.leave();
        }
    }

    @Override
    default int postInline(
            SendOpcode operation,
            long wrId,
            MemorySegment data,
            long offset,
            long length,
            long remoteAddress,
            int rkey,
            long immediate,
            int flags) {
        PostTarget target = target();
        target.require(operation);
        int slot = target.enter();
        if (slot < 0) {
            return target.requests.inlineFault(slot, operation, data, offset, length, immediate, flags);
        }
        try {
            return target.answer(
                    slot,
                    target.requests.inline(
                            slot, operation, wrId, data, offset, length, remoteAddress, rkey, immediate, flags));
        } finally {
            target.entered.leave();
        }
    }

    @Override
    default int postAtomic(
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
        PostTarget target = target();
        target.require(operation);
        int slot = target.enter();
        if (slot < 0) {
            return target.requests.atomicFault(slot, operation, flags);
        }
        try {
            return target.answer(
                    slot,
                    target.requests.atomic(
                            slot, operation, wrId, address, lkey, remoteAddress, rkey, compareOrAdd, swap, flags));
        } finally {
            target.entered.leave();
        }
    }

    @Override
    default int postDatagram(
            SendOpcode operation,
            long wrId,
            SgList local,
            AddressHandle destination,
            int remoteQpNumber,
            int qkey,
            long immediate,
            int flags) {
        PostTarget target = target();
        target.requireDatagrams();
        target.requests.requireSupported(operation);
        boolean isDatagram = operation == SendOpcode.SEND || operation == SendOpcode.SEND_WITH_IMMEDIATE;
        int slot = target.enter();
        if (slot < 0) {
            target.own(destination).requireOpen();
            return isDatagram
                    ? target.requests.fault(slot, operation, local.count(), local.totalBytes(), immediate, flags)
                    : PostStatus.INVALID;
        }
        try {
            IbvAddressHandle ours = target.own(destination);
            if (!ours.gate.enter()) {
                ours.requireOpen();
            }
            int status;
            try {
                status = isDatagram
                        ? target.requests.transfer(slot, operation, wrId, local, 0, 0, immediate, flags)
                        : PostStatus.INVALID;
                if (status == PostStatus.ACCEPTED) {
                    target.requests.slots().datagram(slot, ours.its.address(), remoteQpNumber, qkey);
                    status = target.acceptedTo(ours.its, slot);
                }
            } finally {
                ours.gate.leave();
            }
            return status;
        } finally {
            target.entered.leave();
        }
    }

    @Override
    default int postLocalInvalidate(long wrId, int stag, int flags) {
        PostTarget target = target();
        target.require(SendOpcode.LOCAL_INVALIDATE);
        int slot = target.enter();
        if (slot < 0) {
            return SendRequests.flagFault(slot, flags);
        }
        try {
            return target.answer(slot, target.requests.localInvalidate(slot, wrId, stag, flags));
        } finally {
            target.entered.leave();
        }
    }

    @Override
    default int postBind(
            long wrId, MemoryWindow window, RegisteredBuffer buffer, long offset, long length, int access, int flags) {
        PostTarget target = target();
        target.queuePair.requireOpen();
        target.require(SendOpcode.BIND_WINDOW);
        target.requireBindable(window.type());
        Domain domain = target.queuePair.domain().owner();
        // Neither the window nor the registration may be destroyed while the driver looks at them.
        synchronized (domain.registrations()) {
            IbvMemoryWindow ours = Window.checked(window, IbvMemoryWindow.class, domain, access);
            WindowBinding asked = ours.asked(buffer, offset, length, access);
            Region region = domain.registrations().of(buffer);
            if (ours.type() == MemoryWindow.Type.TYPE_1) {
                return target.bindType1(wrId, ours, region, asked, flags);
            }
            if (length == 0) {
                return unbind(wrId, ours, flags);
            }
            int slot = target.enter();
            if (slot < 0) {
                return SendRequests.flagFault(slot, flags);
            }
            try {
                int status = target.answer(slot, target.requests.bind(slot, wrId, ours, region, asked, flags));
                if (status == PostStatus.ACCEPTED) {
                    ours.window().bound(region, asked);
                    target.bindAccepted(ours, asked.rkey(), buffer);
                }
                return status;
            } finally {
                target.entered.leave();
            }
        }
    }

    private int unbind(long wrId, IbvMemoryWindow window, int flags) {
        int status = postLocalInvalidate(wrId, window.rkey(), flags);
        if (status == PostStatus.ACCEPTED) {
            window.window().unbound();
        }
        return status;
    }
}
