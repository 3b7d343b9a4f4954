package org.panamaverbs.iwarp.engine;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.iwarp.core.LoneRequests;
import org.panamaverbs.iwarp.core.SendCommands;
import org.panamaverbs.iwarp.engine.device.Device;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.spi.support.RawSendQueue;
import org.panamaverbs.spi.support.Window;
import org.panamaverbs.spi.support.WindowBinding;

/**
 * Posts sends to a stream. A queue pair and its batch are both posted to in this way; they differ in their
 * {@link #target}.
 */
interface SendPoster extends RawSendQueue {
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
        requireSupported(operation, target);
        SendCommands sends = target.enter();
        try {
            target.begin();
            LoneRequests alone = target.alone();
            if (alone != null) {
                boolean done = false;
                try {
                    done = alone.transfer(operation, wrId, address, length, lkey, remoteAddress, rkey, flags);
                } catch (Throwable e) {
                    target.driver.breaks(e);
                }
                if (done) {
                    return target.executedInline(alone);
                }
            }
            return target.answer(
                    sends.post(operation, wrId, address, length, lkey, remoteAddress, rkey, immediate, flags));
        } finally {
            sends.holds = false;
            target.lock.unlock();
        }
    }

    @Override
    default int post(
            SendOpcode operation, long wrId, SgList local, long remoteAddress, int rkey, long immediate, int flags) {
        PostTarget target = target();
        requireSupported(operation, target);
        SendCommands sends = target.enter();
        try {
            target.begin();
            return target.answer(sends.post(operation, wrId, local, remoteAddress, rkey, immediate, flags));
        } finally {
            sends.holds = false;
            target.lock.unlock();
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
        requireSupported(operation, target);
        SendCommands sends = target.enter();
        try {
            target.begin();
            LoneRequests alone = target.alone();
            if (alone != null) {
                boolean done = false;
                try {
                    done = alone.inline(operation, wrId, data, offset, length, remoteAddress, rkey, flags);
                } catch (Throwable e) {
                    target.driver.breaks(e);
                }
                if (done) {
                    return target.executedInline(alone);
                }
            }
            return target.answer(
                    sends.postInline(operation, wrId, data, offset, length, remoteAddress, rkey, immediate, flags));
        } finally {
            sends.holds = false;
            target.lock.unlock();
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
        requireSupported(operation, target);
        SendCommands sends = target.enter();
        try {
            target.begin();
            LoneRequests alone = target.alone();
            if (alone != null) {
                boolean done = false;
                try {
                    done = alone.atomic(
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
                            flags);
                } catch (Throwable e) {
                    target.driver.breaks(e);
                }
                if (done) {
                    return target.executedInline(alone);
                }
            }
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
            target.lock.unlock();
        }
    }

    @Override
    default int postBind(
            long wrId, MemoryWindow window, RegisteredBuffer buffer, long offset, long length, int access, int flags) {
        PostTarget target = target();
        target.queuePair.requireOpen();
        IwarpMemoryWindow ours = Window.checked(window, IwarpMemoryWindow.class, target.domain, access);
        WindowBinding asked = ours.asked(buffer, offset, length, access);
        boolean scoped = ours.type() == MemoryWindow.Type.TYPE_2;
        SendCommands sends = target.enter();
        try {
            target.begin();
            int status = sends.postBind(wrId, ours.region(), scoped, buffer.lkey(), asked, flags);
            if (status >= PostStatus.ACCEPTED) {
                ours.bound(asked);
            }
            return target.answer(status);
        } finally {
            sends.holds = false;
            target.lock.unlock();
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
            target.lock.unlock();
        }
    }

    private static void requireSupported(SendOpcode operation, PostTarget target) {
        if (Device.lacks(operation)) {
            target.queuePair.requireOpen();
            Device.LIMITS.require(operation);
        }
    }
}
