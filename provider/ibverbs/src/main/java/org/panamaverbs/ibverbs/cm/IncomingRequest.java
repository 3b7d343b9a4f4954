package org.panamaverbs.ibverbs.cm;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.memory.ManagedResource;

/** What a listener has taken from a peer and what is answered once: accepted, rejected, or closed. */
abstract class IncomingRequest extends ManagedResource {
    // The kernel hands the answer to the device and does not wait for anybody.
    private static final int REJECT_SECONDS = 10;

    private final IbvConnectionManager manager;
    private final CmId id;
    private final CmEvent event;
    private final InetSocketAddress remote;
    private final AtomicBoolean answered;

    IncomingRequest(String kind, IbvConnectionManager manager, CmChannel.Incoming incoming, InetSocketAddress remote) {
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
    interface Maker<T> {
        T make(IbvConnectionManager manager, CmChannel.Incoming incoming, InetSocketAddress remote);
    }

    /** Takes {@code incoming} over; if that fails the kernel rejects it. */
    static <T> Optional<T> open(IbvConnectionManager manager, CmChannel.Incoming incoming, Maker<? extends T> maker) {
        T made = null;
        try {
            made = maker.make(manager, incoming, manager.remoteAddress(incoming.id()));
            return Optional.of(made);
        } catch (RuntimeException | Error e) {
            if (made instanceof IncomingRequest request) {
                request.close();
            }
            incoming.id().destroy();
            throw e;
        }
    }

    IbvConnectionManager manager() {
        return manager;
    }

    CmId id() {
        return id;
    }

    CmEvent event() {
        return event;
    }

    public InetSocketAddress remoteAddress() {
        return remote;
    }

    public byte[] privateData() {
        return event.privateData().clone();
    }

    /** Throws unless {@code octets} can go with an answer. */
    abstract void checkPrivateData(byte[] octets);

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
            id.destroy();
            close();
        }
    }

    @Override
    protected void release() {
        if (answered.compareAndSet(false, true)) {
            // The kernel rejects a request whose id is destroyed.
            id.destroy();
        }
    }

    /** Has it answered from now on: by the caller, who destroys the id or hands it on. */
    void answer() {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException(resourceName() + " was answered before");
        }
    }

    /** Has it unanswered again, as nothing has gone to the peer. */
    void takeBack() {
        answered.set(false);
        if (!isOpen()) {
            release(); // which found it answered
        }
    }
}
