package org.panamaverbs.ibverbs.post;

import java.util.EnumSet;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.ibverbs.call.Gate;
import org.panamaverbs.ibverbs.context.Region;
import org.panamaverbs.ibverbs.memory.IbvMemoryWindow;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.spi.support.Ours;
import org.panamaverbs.spi.support.WindowBinding;

/**
 * What a {@link SendPoster} posts to: slots for requests. {@link #enter} says which to write, {@link #accepted} hands
 * it over or keeps it.
 */
public abstract class PostTarget {
    final NativeQueuePair queuePair;
    final SendRequests requests;
    /** Held from {@link #enter} on. */
    final Gate entered;

    private final boolean datagrams;
    // Whether a request needs more than the posts that name a peer's memory at most: where it goes to.
    private final boolean addressed;

    /** Creates a target; {@code entered} is held from {@link #enter} on. */
    PostTarget(NativeQueuePair queuePair, SendRequests requests, Gate entered) {
        this(queuePair, requests, entered, queuePair.config().type() == QueuePairType.XRC_SEND);
    }

    /** Creates a target that takes only what says where it goes to, if {@code addressed}. */
    PostTarget(NativeQueuePair queuePair, SendRequests requests, Gate entered, boolean addressed) {
        this.queuePair = queuePair;
        this.entered = entered;
        datagrams = queuePair.sendsDatagrams();
        this.addressed = datagrams || addressed;
        this.requests = requests;
    }

    /** Returns the slot to write, or a negative {@link PostStatus}; then the gate is not held. */
    abstract int enter();

    /** Called with the slot that was written. */
    abstract int accepted(int slot);

    /** Called with the slot that was written with a datagram to {@code handle}, whose gate the caller holds. */
    abstract int acceptedTo(NativeAddressHandle handle, int slot);

    /**
     * Does nothing if windows of {@code type} can be bound here.
     *
     * @throws UnsupportedOperationException otherwise
     */
    abstract void requireBindable(MemoryWindow.Type type);

    /** Binds a window of type 1, a call of its own; the driver chooses the key. */
    abstract int bindType1(long wrId, IbvMemoryWindow window, Region region, WindowBinding asked, int flags);

    /** Called when a bind was accepted, of what must stay open until it is handed over. */
    void bindAccepted(IbvMemoryWindow window, int rkey, RegisteredBuffer buffer) {
        window.window().posted(rkey); // it is handed over already
    }

    /** Does nothing if the device and the service have {@code operation}; if not, a closed queue pair is told first. */
    final void require(SendOpcode operation) {
        if (addressed || !requests.posts(operation)) {
            refuse(operation);
        }
    }

    private void refuse(SendOpcode operation) {
        queuePair.requireOpen();
        QueuePairType type = queuePair.config().type();
        if (!type.sendOpcodes().contains(operation)) {
            EnumSet<QueuePairType> others = EnumSet.allOf(QueuePairType.class);
            others.removeIf(other -> !other.sendOpcodes().contains(operation));
            throw new UnsupportedOperationException(queuePair.resourceName() + " is " + type + " and cannot post "
                    + operation + ", only " + type.sendOpcodes() + "; remedy: use a queue pair of type " + others);
        }
        if (addressed) {
            // Drivers would take what is written here for the address of an address handle, or what is left here from
            // another request for the number of a queue.
            throw new UnsupportedOperationException(queuePair.resourceName() + " is " + type + " and posts "
                    + type.sendOpcodes() + (datagrams ? " to an address handle" : " to a shared receive queue")
                    + ", not to a peer; remedy: use " + (datagrams ? "postDatagram" : "toSharedReceiveQueue"));
        }
        requests.requireSupported(operation);
    }

    /** Tells whether all that is posted here are datagrams; else none is. */
    final boolean sendsDatagrams() {
        return datagrams;
    }

    /** Does nothing if datagrams are sent here; a closed queue pair is told first. */
    final void requireDatagrams() {
        if (!datagrams) {
            queuePair.requireOpen();
            QueuePairType type = queuePair.config().type();
            throw new UnsupportedOperationException(queuePair.resourceName() + " is " + type + ", datagrams need UD: it"
                    + " posts " + type.sendOpcodes() + " to its peer alone; remedy: use a queue pair of type UD");
        }
    }

    /** Returns {@code destination} as one of the queue pair's domain. */
    final IbvAddressHandle own(AddressHandle destination) {
        return Ours.of(
                "address handle", destination, IbvAddressHandle.class, IbvAddressHandle::domain, queuePair.domain());
    }

    /** Returns the answer to a post that was written into {@code slot}, or not: {@code status} says why. */
    final int answer(int slot, int status) {
        return status == PostStatus.ACCEPTED ? accepted(slot) : status;
    }
}
