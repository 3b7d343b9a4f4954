package org.panamaverbs.ibverbs.cm;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.memory.ManagedResource;

/** What a listener has taken from a peer and what is answered once: accepted, rejected, or closed. */
public abstract class IncomingRequest extends ManagedResource {
    // The kernel hands the answer to the device and does not wait for anybody.
    private static final int REJECT_SECONDS = 10;

    private final CmContext manager;
    private final CmId id;
    private final CmEvent event;
    private final InetSocketAddress remote;
    private final AtomicBoolean answered;
    // Whether closing has answered it.
    private volatile boolean dropped;

    protected IncomingRequest(String kind, CmContext manager, CmId.Incoming incoming, InetSocketAddress remote) {
        super(kind + " of " + SocketAddresses.text(remote), manager.context());
        this.manager = manager;
        this.remote = remote;
        id = incoming.id();
        event = incoming.event();
        try {
            answered = new AtomicBoolean();
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    /** How a kind of request is made. */
    public interface Maker<T> {
        T make(CmContext manager, CmId.Incoming incoming, InetSocketAddress remote);
    }

    /** Takes {@code incoming} over; if that fails the kernel rejects it. */
    public static <T> Optional<T> open(CmContext manager, CmId.Incoming incoming, Maker<? extends T> maker) {
        T made = null;
        try {
            made = maker.make(manager, incoming, manager.remoteAddress(incoming.id()));
            return Optional.of(made);
        } catch (Throwable e) {
            try {
                if (made instanceof IncomingRequest request) {
                    request.closeOrLeave();
                }
            } finally {
                incoming.id().discard();
            }
            throw e;
        }
    }

    protected final CmContext manager() {
        return manager;
    }

    protected final CmId id() {
        return id;
    }

    protected final CmEvent event() {
        return event;
    }

    public InetSocketAddress remoteAddress() {
        return remote;
    }

    public byte[] privateData() {
        return event.privateData().clone();
    }

    /** Throws unless {@code octets} can go with a rejection. */
    protected abstract void checkPrivateData(byte[] octets);

    public void reject(byte[] octets) {
        requireOpen();
        checkPrivateData(octets);
        byte[] copy = octets.clone();
        answer();
        try {
            // An error says that the peer has given up, which is as good.
            id.perform(
                    arena -> CmCalls.REJECT.status(
                            id.pointer(), ConnectionParameters.octets(copy, arena), (byte) copy.length),
                    Deadline.in(REJECT_SECONDS, TimeUnit.SECONDS));
        } finally {
            id.discard();
            close();
        }
    }

    @Override
    protected void destroy() {
        if (answered.compareAndSet(false, true)) {
            dropped = true;
        }
        if (dropped) {
            // The kernel rejects a request whose id is destroyed.
            id.end(resourceName(), REJECT_SECONDS);
        }
    }

    /** Takes the request for answered from now on: by the caller, who destroys the id or hands it on. */
    protected final void answer() {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException(resourceName() + " was already answered");
        }
    }

    /** Closes the request, which is answered; without memory for that, its device does when it is closed. */
    protected final void closeAnswered() {
        try {
            closeOrLeave();
        } catch (OutOfMemoryError e) {
            // Who accepted has a connection now and must not lose it for this.
        }
    }

    /** Takes the request for unanswered again, as nothing has gone to the peer. */
    protected final void takeBack() {
        answered.set(false);
        if (!isOpen() && answered.compareAndSet(false, true)) {
            id.discard(); // closing found it answered
        }
    }
}
