package org.panamaverbs.ibverbs.post;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.SgList;
import org.panamaverbs.ibverbs.call.Gate;
import org.panamaverbs.ibverbs.context.Region;
import org.panamaverbs.ibverbs.memory.IbvMemoryWindow;
import org.panamaverbs.ibverbs.memory.Registrations;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * Posts sends: how a request gets into a slot. What happens before and after is the subclass's: {@link #enter} says
 * which slot, {@link #accepted} hands it over or keeps it.
 */
abstract class SendPoster implements SendQueue {
    private static final int REMOTE_RIGHTS = Access.mask(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);

    private final NativeQueuePair queuePair;
    private final SendRequests requests;
    private final Gate entered;
    private final boolean datagrams;

    /** Makes one; {@code entered} is held from {@link #enter} on. */
    SendPoster(NativeQueuePair queuePair, SendRequests requests, Gate entered) {
        this.queuePair = queuePair;
        this.entered = entered;
        datagrams = queuePair.config().type() == QueuePairType.UD;
        this.requests = requests;
    }

    final NativeQueuePair queuePair() {
        return queuePair;
    }

    final SendRequests requests() {
        return requests;
    }

    /** Returns the slot to write, or a negative {@link PostStatus}; then the gate is not held. */
    abstract int enter();

    /** Called with the slot that was written. */
    abstract int accepted(int slot);

    /** Binds a window of type 1, a call of its own. */
    abstract int bindType1(
            long wrId, IbvMemoryWindow window, Region region, long from, long length, int access, int flags);

    /** Called when a bind was accepted, of what must stay open until it is handed over. */
    void bindAccepted(IbvMemoryWindow window, int rkey, RegisteredBuffer buffer) {
        window.window().posted(rkey); // it is handed over already
    }

    /** Does nothing if the device and the service have {@code operation}. */
    private void require(SendOpcode operation) {
        if (datagrams) {
            // Drivers would take what is written here for the address of an address handle.
            throw new UnsupportedOperationException(
                    queuePair.resourceName() + " sends datagrams: use postDatagram, not " + operation);
        }
        requests.requireSupported(operation);
    }

    private int answer(int slot, int status) {
        return status == PostStatus.ACCEPTED ? accepted(slot) : status;
    }

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
        require(operation);
        int slot = enter();
        if (slot < 0) {
            return slot;
        }
        try {
            int status = answer(
                    slot,
                    requests.transfer(
                            slot, operation, wrId, address, length, lkey, remoteAddress, rkey, immediate, flags));
            entered.leave();
            return status;
        } catch (Throwable e) {
            entered.state = Gate.FREE;
            throw e;
        }
    }

    @Override
    public final int post(
            SendOpcode operation, long wrId, SgList local, long remoteAddress, int rkey, long immediate, int flags) {
        require(operation);
        int slot = enter();
        if (slot < 0) {
            return slot;
        }
        try {
            int status = answer(
                    slot, requests.transfer(slot, operation, wrId, local, remoteAddress, rkey, immediate, flags));
            entered.leave();
            return status;
        } catch (Throwable e) {
            entered.state = Gate.FREE;
            throw e;
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
        require(operation);
        int slot = enter();
        if (slot < 0) {
            return slot;
        }
        try {
            int status = answer(
                    slot,
                    requests.inline(
                            slot, operation, wrId, data, offset, length, remoteAddress, rkey, immediate, flags));
            entered.leave();
            return status;
        } catch (Throwable e) {
            entered.state = Gate.FREE;
            throw e;
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
        require(operation);
        int slot = enter();
        if (slot < 0) {
            return slot;
        }
        try {
            int status = answer(
                    slot,
                    requests.atomic(
                            slot, operation, wrId, address, lkey, remoteAddress, rkey, compareOrAdd, swap, flags));
            entered.leave();
            return status;
        } catch (Throwable e) {
            entered.state = Gate.FREE;
            throw e;
        }
    }

    @Override
    public final int postLocalInvalidate(long wrId, int stag, int flags) {
        require(SendOpcode.LOCAL_INVALIDATE);
        int slot = enter();
        if (slot < 0) {
            return slot;
        }
        try {
            int status = answer(slot, requests.localInvalidate(slot, wrId, stag, flags));
            entered.leave();
            return status;
        } catch (Throwable e) {
            entered.state = Gate.FREE;
            throw e;
        }
    }

    @Override
    public final int postBind(
            long wrId, MemoryWindow window, RegisteredBuffer buffer, long offset, long length, int access, int flags) {
        if (!(window instanceof IbvMemoryWindow ours) || !ours.domain().equals(queuePair.domain())) {
            throw new IllegalArgumentException("the window is of another domain than " + queuePair.resourceName());
        }
        require(SendOpcode.BIND_WINDOW);
        if ((access & ~REMOTE_RIGHTS) != 0) {
            throw new IllegalArgumentException(
                    "a window grants only rights of peers, not " + Access.format(access & ~REMOTE_RIGHTS));
        }
        long address = buffer.checkedAddress(offset, length);
        Registrations registrations = ours.domain().registrations();
        // Neither the window nor the registration may be destroyed while the driver looks at them.
        synchronized (registrations) {
            ours.requireOpen();
            Region region = registrations.of(buffer);
            if (ours.type() == MemoryWindow.Type.TYPE_1) {
                return bindType1(wrId, ours, region, address, length, access, flags);
            }
            return length == 0
                    ? unbind(wrId, ours, flags)
                    : bindType2(wrId, ours, buffer, region, address, length, access, flags);
        }
    }

    private int bindType2(
            long wrId,
            IbvMemoryWindow window,
            RegisteredBuffer buffer,
            Region region,
            long address,
            long length,
            int access,
            int flags) {
        int slot = enter();
        if (slot < 0) {
            return slot;
        }
        try {
            int rkey = window.window().nextStag();
            int status = answer(slot, requests.bind(slot, wrId, window, rkey, region, address, length, access, flags));
            if (status == PostStatus.ACCEPTED) {
                window.window().bound(region, rkey, address, length, access);
                bindAccepted(window, rkey, buffer);
            }
            entered.leave();
            return status;
        } catch (Throwable e) {
            entered.state = Gate.FREE;
            throw e;
        }
    }

    private int unbind(long wrId, IbvMemoryWindow window, int flags) {
        int status = postLocalInvalidate(wrId, window.stag().value(), flags);
        if (status == PostStatus.ACCEPTED) {
            window.window().unbound();
        }
        return status;
    }
}
