package org.panamaverbs.iwarp.engine.objects;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.support.WindowBinding;
import org.panamaverbs.iwarp.core.work.SendCommands;
import org.panamaverbs.iwarp.engine.context.Device;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * Posts sends to a stream. A queue pair and its batch are both posted to in this way; they differ in their
 * {@link #target}.
 */
interface SendPoster extends SendQueue {
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
        requireSupported(operation);
        PostTarget target = target();
        SendCommands sends = target.enter();
        try {
            target.begin();
            return target.answer(
                    sends.post(operation, wrId, address, length, lkey, remoteAddress, rkey, immediate, flags));
        } finally {
            sends.holds = false;
            target.lock.held = false;
        }
    }

    @Override
    default int post(
            SendOpcode operation, long wrId, SgList local, long remoteAddress, int rkey, long immediate, int flags) {
        requireSupported(operation);
        PostTarget target = target();
        SendCommands sends = target.enter();
        try {
            target.begin();
            return target.answer(sends.post(operation, wrId, local, remoteAddress, rkey, immediate, flags));
        } finally {
            sends.holds = false;
            target.lock.held = false;
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
        requireSupported(operation);
        PostTarget target = target();
        SendCommands sends = target.enter();
        try {
            target.begin();
            return target.answer(
                    sends.postInline(operation, wrId, data, offset, length, remoteAddress, rkey, immediate, flags));
        } finally {
            sends.holds = false;
            target.lock.held = false;
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
        SendCommands sends = target.enter();
        try {
            target.begin();
            return target.answer(sends.postAtomic(
                    operation,
                    wrId,
                    address,
                    lkey,
                    remoteAddress,
                    rkey,
                    compareOrAdd,
                    swap,
                    compareOrFieldMask,
                    swapMask,
                    flags));
        } finally {
            sends.holds = false;
            target.lock.held = false;
        }
    }

    @Override
    default int postBind(
            long wrId, MemoryWindow window, RegisteredBuffer buffer, long offset, long length, int access, int flags) {
        PostTarget target = target();
        IwarpMemoryWindow ours = WindowBinding.checked(
                window,
                IwarpMemoryWindow.class,
                IwarpMemoryWindow::domain,
                target.domain,
                target.queuePair.resourceName(),
                access);
        ours.requireOpen();
        long address = buffer.checkedAddress(offset, length);
        boolean scoped = ours.type() == MemoryWindow.Type.TYPE_2;
        int stag = ours.nextStag();
        WindowBinding binding = new WindowBinding(stag, address, length, access);
        SendCommands sends = target.enter();
        try {
            target.begin();
            int status =
                    sends.postBind(wrId, ours.region(), scoped, stag, buffer.lkey(), address, length, access, flags);
            if (status >= PostStatus.ACCEPTED) {
                ours.bound(binding);
            }
            return target.answer(status);
        } finally {
            sends.holds = false;
            target.lock.held = false;
        }
    }

    @Override
    default int postLocalInvalidate(long wrId, int stag, int flags) {
        PostTarget target = target();
        SendCommands sends = target.enter();
        try {
            target.begin();
            return target.answer(sends.postLocalInvalidate(wrId, stag, flags));
        } finally {
            sends.holds = false;
            target.lock.held = false;
        }
    }

    private static void requireSupported(SendOpcode operation) {
        if (operation == SendOpcode.SEND_WITH_IMMEDIATE) {
            Device.CAPABILITIES.require(Feature.SEND_WITH_IMMEDIATE, Device.NAME);
        }
    }
}
