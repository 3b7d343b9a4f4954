package org.panamaverbs.memcpy;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Waits;

/** A listener; the process has one port space for all devices and addresses. */
final class MemcpyListener extends ManagedResource implements Listener {
    private static final Map<Integer, MemcpyListener> BY_PORT = new HashMap<>();
    private static int lastPort = 49_151;

    private final MemcpyVerbs device;
    private final InetSocketAddress address;
    private final int backlog;
    private final Queue<MemcpyAttempt> waiting = new ArrayDeque<>();

    private MemcpyListener(MemcpyVerbs device, InetSocketAddress address, int backlog) {
        super("listener at " + address, device);
        this.device = device;
        this.address = address;
        this.backlog = backlog;
    }

    static MemcpyListener listen(MemcpyVerbs device, InetSocketAddress wanted, int backlog) {
        synchronized (MemcpyVerbs.LOCK) {
            InetSocketAddress address =
                    wanted.getPort() == 0 ? new InetSocketAddress(wanted.getAddress(), freePort()) : wanted;
            if (BY_PORT.containsKey(address.getPort())) {
                throw new ConnectionException(
                        "listen", Reason.ADDRESS_IN_USE, "another listener is at port " + address.getPort(), null);
            }
            MemcpyListener listener = new MemcpyListener(device, address, backlog);
            BY_PORT.put(address.getPort(), listener);
            return listener;
        }
    }

    /** Returns a port without a listener. */
    static int freePort() {
        do {
            lastPort = lastPort == 65_535 ? 49_152 : lastPort + 1;
        } while (BY_PORT.containsKey(lastPort));
        return lastPort;
    }

    static @Nullable MemcpyListener at(InetSocketAddress address) {
        return BY_PORT.get(address.getPort());
    }

    /** Adds {@code attempt}; false if too many wait. */
    boolean offer(MemcpyAttempt attempt) {
        MemcpyVerbs.LOCK.notifyAll();
        return waiting.size() < backlog && waiting.add(attempt);
    }

    void withdraw(MemcpyAttempt attempt) {
        waiting.remove(attempt);
    }

    @Override
    public InetSocketAddress localAddress() {
        return address;
    }

    @Override
    public Optional<ConnectionRequest> poll(Deadline deadline) {
        synchronized (MemcpyVerbs.LOCK) {
            requireOpen();
            try {
                Waits.interruptibly(() -> !waiting.isEmpty() || !isOpen(), deadline, MemcpyVerbs.LOCK);
            } catch (InterruptedException e) {
                throw Waits.interrupted("accept", "a request at " + address);
            }
            requireOpen();
            return Optional.ofNullable(waiting.poll()).map(attempt -> new MemcpyRequest(device, attempt));
        }
    }

    @Override
    protected void destroy() {
        synchronized (MemcpyVerbs.LOCK) {
            BY_PORT.remove(address.getPort());
            waiting.forEach(MemcpyAttempt::dropped);
            waiting.clear();
            MemcpyVerbs.LOCK.notifyAll();
        }
    }
}
