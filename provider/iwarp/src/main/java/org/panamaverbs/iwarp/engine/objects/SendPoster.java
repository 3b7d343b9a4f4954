package org.panamaverbs.iwarp.engine.objects;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.SgList;
import org.panamaverbs.iwarp.core.stream.Stream;
import org.panamaverbs.iwarp.engine.context.Device;
import org.panamaverbs.iwarp.engine.progress.StreamDriver;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RegisteredBuffer;

/** Posts sends to a stream and transmits them at once, on the thread that posts. */
class SendPoster implements SendQueue {
    private static final int REMOTE_RIGHTS = Access.mask(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);

    private final ManagedResource queuePair;
    private final ManagedResource domain;
    private final StreamDriver driver;
    private final Stream stream;

    /** Makes one for {@code stream} of {@code queuePair}, which is of {@code domain}. */
    SendPoster(ManagedResource queuePair, ManagedResource domain, StreamDriver driver, Stream stream) {
        this.queuePair = queuePair;
        this.domain = domain;
        this.driver = driver;
        this.stream = stream;
    }

    /** Called before each post, locked; should it throw, {@link #left} is called all the same. */
    void begin(Stream target) {
        if (target.sends().isHeld()) {
            throw new IllegalStateException(
                    queuePair.resourceName() + " has an open batch: submit or discard it before posting otherwise");
        }
    }

    /** Called after each post, whatever became of it, locked. */
    void left(Stream target) {
        // Nothing was begun.
    }

    /** Called after each post that was accepted, locked. */
    void accepted(StreamDriver itsDriver) {
        itsDriver.flush();
    }

    private Stream lock() {
        queuePair.requireOpen();
        driver.lock.lock();
        return stream;
    }

    private int answer(int status) {
        if (status >= PostStatus.ACCEPTED) {
            accepted(driver);
        }
        return status;
    }

    private static void requireSupported(SendOpcode operation) {
        if (operation == SendOpcode.SEND_WITH_IMMEDIATE) {
            Device.CAPABILITIES.require(Feature.SEND_WITH_IMMEDIATE, Device.NAME);
        }
    }

    @Override
    public int post(
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
        Stream target = lock();
        try {
            begin(target);
            return answer(
                    target.sends().post(operation, wrId, address, length, lkey, remoteAddress, rkey, immediate, flags));
        } finally {
            try {
                left(target);
            } finally {
                driver.lock.held = false;
            }
        }
    }

    @Override
    public int post(
            SendOpcode operation, long wrId, SgList local, long remoteAddress, int rkey, long immediate, int flags) {
        requireSupported(operation);
        Stream target = lock();
        try {
            begin(target);
            return answer(target.sends().post(operation, wrId, local, remoteAddress, rkey, immediate, flags));
        } finally {
            try {
                left(target);
            } finally {
                driver.lock.held = false;
            }
        }
    }

    @Override
    public int postInline(
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
        Stream target = lock();
        try {
            begin(target);
            return answer(target.sends()
                    .postInline(operation, wrId, data, offset, length, remoteAddress, rkey, immediate, flags));
        } finally {
            try {
                left(target);
            } finally {
                driver.lock.held = false;
            }
        }
    }

    @Override
    public int postAtomic(
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
        Stream target = lock();
        try {
            begin(target);
            return answer(target.sends()
                    .postAtomic(
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
            try {
                left(target);
            } finally {
                driver.lock.held = false;
            }
        }
    }

    @Override
    public int postBind(
            long wrId, MemoryWindow window, RegisteredBuffer buffer, long offset, long length, int access, int flags) {
        if (!(window instanceof IwarpMemoryWindow ours) || !ours.domain().equals(domain)) {
            throw new IllegalArgumentException("the window is of another domain than " + queuePair.resourceName());
        }
        ours.requireOpen();
        if ((access & ~REMOTE_RIGHTS) != 0) {
            throw new IllegalArgumentException(
                    "a window grants remote rights only, not " + Access.format(access & ~REMOTE_RIGHTS));
        }
        long address = buffer.checkedAddress(offset, length);
        boolean scoped = ours.type() == MemoryWindow.Type.TYPE_2;
        int stag = ours.nextStag();
        Stream target = lock();
        try {
            begin(target);
            int status = target.sends()
                    .postBind(wrId, ours.region(), scoped, stag, buffer.lkey(), address, length, access, flags);
            if (status >= PostStatus.ACCEPTED) {
                ours.bound(stag, address, length, access);
            }
            return answer(status);
        } finally {
            try {
                left(target);
            } finally {
                driver.lock.held = false;
            }
        }
    }

    @Override
    public int postLocalInvalidate(long wrId, int stag, int flags) {
        Stream target = lock();
        try {
            begin(target);
            return answer(target.sends().postLocalInvalidate(wrId, stag, flags));
        } finally {
            try {
                left(target);
            } finally {
                driver.lock.held = false;
            }
        }
    }
}
