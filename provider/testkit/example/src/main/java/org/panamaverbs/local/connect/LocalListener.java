package org.panamaverbs.local.connect;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.software.SoftwareDevice;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.support.EventWriter;
import org.panamaverbs.spi.support.Readiness;
import org.panamaverbs.spi.support.Waits;

/** Waits for attempts to connect. */
final class LocalListener extends ManagedResource implements Listener, EventMember {
    private static final EventWriter WRITER = EventWriter.get();
    private final SoftwareDevice device;
    private final InetSocketAddress address;
    private final Backlog backlog;

    LocalListener(SoftwareDevice device, InetSocketAddress address, Backlog backlog) {
        super("listener at " + address, device);
        this.device = device;
        this.address = address;
        this.backlog = backlog;
    }

    @Override
    public InetSocketAddress localAddress() {
        return address;
    }

    @Override
    public Optional<ConnectionRequest> poll(Deadline deadline) {
        try {
            synchronized (Fabric.LOCK) {
                requireOpen();
                if (backlog.isEmpty()) {
                    Fabric.await(() -> !backlog.isEmpty() || !isOpen(), deadline);
                }
                requireOpen();
                Attempt attempt = backlog.poll();
                return attempt == null ? Optional.empty() : Optional.of(new LocalConnectionRequest(device, attempt));
            }
        } catch (InterruptedException e) {
            throw Waits.interrupted("accept", "a request at " + address);
        }
    }

    @Override
    public Taken take(Event event) {
        synchronized (Fabric.LOCK) {
            Attempt attempt = backlog.poll();
            if (attempt == null) {
                return Taken.NOTHING;
            }
            WRITER.request(event, new LocalConnectionRequest(device, attempt));
            return Taken.ONE;
        }
    }

    @Override
    public Readiness readiness() {
        return backlog.readiness();
    }

    @Override
    public SoftwareDevice device() {
        return device;
    }

    @Override
    protected void destroy() {
        readiness().closed();
        synchronized (Fabric.LOCK) {
            Ports.unbind(backlog);
            backlog.clear(attempt -> attempt.fail(Attempt.dropped(address)));
            Fabric.LOCK.notifyAll();
        }
    }
}
