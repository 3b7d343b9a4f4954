package org.panamaverbs.ibverbs.crash;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

/** Makes what the cases misuse on one device, and closes what is left of it. */
final class Stage {
    private final String device;
    private final String address;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /**
     * Sets the stage.
     *
     * @param device {@code PROVIDER:DEVICE}
     * @param address an address of this machine that leads to the device
     */
    Stage(String device, String address) {
        this.device = device;
        this.address = address;
    }

    String device() {
        return device;
    }

    String address() {
        return address;
    }

    String provider() {
        return device.substring(0, device.indexOf(':'));
    }

    InetSocketAddress anyPort() {
        return new InetSocketAddress(address, 0);
    }

    /** Closes {@code resource} at the end, if the case has not. */
    <T extends AutoCloseable> T add(T resource) {
        synchronized (open) {
            open.push(resource);
        }
        return resource;
    }

    /** Opens the device. */
    Verbs verbs() {
        return add(Verbs.open(OpenConfig.provider(provider()).withDevice(device.substring(device.indexOf(':') + 1))));
    }

    /** Opens the device with domain, queue and buffer. */
    Side side() {
        Verbs verbs = verbs();
        ProtectionDomain domain = add(verbs.protectionDomain());
        CompletionQueue queue = add(verbs.completionQueue(256));
        return new Side(this, verbs, domain, queue, buffer(verbs, domain, Side.BUFFER_BYTES));
    }

    /** Registers memory with every right that the device has. */
    RegisteredBuffer buffer(Verbs verbs, ProtectionDomain domain, long bytes) {
        return add(domain.allocate(bytes, rights(verbs)));
    }

    static Access[] rights(Verbs verbs) {
        List<Access> rights = new ArrayList<>(List.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE));
        if (verbs.capabilities().has(Feature.ATOMICS)) {
            rights.add(Access.REMOTE_ATOMIC);
        }
        if (verbs.capabilities().maxMw() > 0) {
            rights.add(Access.MEMORY_WINDOW_BIND);
        }
        return rights.toArray(Access[]::new);
    }

    /** Skips the case unless the device has {@code feature}. */
    static void requires(Verbs verbs, Feature feature) {
        if (!verbs.capabilities().has(feature)) {
            throw new Skipped("device " + verbs.device().name() + " lacks " + feature);
        }
    }

    static ConnectionConfig connection(Verbs verbs) {
        return ConnectionConfig.defaults()
                .withDepths(
                        Math.min(4, verbs.capabilities().maxResponderResources()),
                        Math.min(4, verbs.capabilities().maxInitiatorDepth()));
    }

    /** Connects two devices opened for it. */
    Pair pair() throws Exception {
        return pair(side(), side());
    }

    /** Connects two sides. */
    Pair pair(Side a, Side b) throws Exception {
        return connect(a, a.queuePair(), b, b.queuePair());
    }

    Pair connect(Side a, QueuePair qpA, Side b, QueuePair qpB) throws Exception {
        try (Listener listener = b.verbs().listen(anyPort())) {
            CompletableFuture<Connection> accepted = CompletableFuture.supplyAsync(
                    () -> {
                        try (ConnectionRequest request = listener.accept(Expect.soon())) {
                            return request.accept(qpB, connection(b.verbs()), Expect.soon());
                        }
                    },
                    task -> Thread.ofPlatform().daemon().name("accept").start(task));
            Connection connectionA =
                    add(a.verbs().connect(listener.localAddress(), qpA, connection(a.verbs()), Expect.soon()));
            return new Pair(a, b, connectionA, add(accepted.get(45, TimeUnit.SECONDS)));
        }
    }

    /** Forgets what is open, for the end of the process. */
    void leaveOpen() {
        synchronized (open) {
            open.clear();
        }
    }

    /** Closes what is left, the newest first. */
    void close() throws Exception {
        for (AutoCloseable newest = newest(); newest != null; newest = newest()) {
            newest.close();
        }
    }

    private @Nullable AutoCloseable newest() {
        synchronized (open) {
            return open.poll();
        }
    }
}
