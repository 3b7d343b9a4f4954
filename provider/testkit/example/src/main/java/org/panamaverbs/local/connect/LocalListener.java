package org.panamaverbs.local.connect;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.panamaverbs.api.ConnectionRequest;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Listener;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.context.OpenDevice;
import org.panamaverbs.memory.ManagedResource;

/** Waits for attempts to connect. */
final class LocalListener extends ManagedResource implements Listener {
    private final OpenDevice device;
    private final InetSocketAddress address;
    private final int backlog;
    private final Deque<Attempt> waiting = new ArrayDeque<>();

    LocalListener(OpenDevice device, InetSocketAddress address, int backlog) {
        super("listener at " + address, device);
        this.device = device;
        this.address = address;
        this.backlog = backlog;
    }

    /** Adds {@code attempt}; false if there are too many. */
    boolean offer(Attempt attempt) {
        if (waiting.size() >= backlog) {
            return false;
        }
        waiting.add(attempt);
        Fabric.LOCK.notifyAll();
        return true;
    }

    void withdraw(Attempt attempt) {
        waiting.remove(attempt);
    }

    @Override
    public InetSocketAddress localAddress() {
        return address;
    }

    @Override
    public Optional<ConnectionRequest> poll(Deadline deadline) {
        synchronized (Fabric.LOCK) {
            requireOpen();
            Fabric.await(() -> !waiting.isEmpty() || !isOpen(), deadline);
            requireOpen();
            Attempt attempt = waiting.poll();
            return attempt == null ? Optional.empty() : Optional.of(new LocalConnectionRequest(device, attempt));
        }
    }

    @Override
    protected void destroy() {
        synchronized (Fabric.LOCK) {
            Ports.unbind(this);
            waiting.forEach(attempt -> attempt.fail(Attempt.dropped(address)));
            waiting.clear();
            Fabric.LOCK.notifyAll();
        }
    }
}
