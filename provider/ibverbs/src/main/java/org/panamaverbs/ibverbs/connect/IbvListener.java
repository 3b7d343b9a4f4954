package org.panamaverbs.ibverbs.connect;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.bindings.rdmacm.Rdmacm;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.cm.CmChannel;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.cm.CmEvent;
import org.panamaverbs.ibverbs.cm.CmEventType;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.ConnectionFailures;
import org.panamaverbs.ibverbs.cm.Dialogue;
import org.panamaverbs.ibverbs.cm.IncomingRequest;
import org.panamaverbs.ibverbs.cm.LocalPorts;
import org.panamaverbs.ibverbs.cm.SocketAddresses;
import org.panamaverbs.ibverbs.context.EventTarget;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.support.EventWriter;
import org.panamaverbs.spi.support.HostAddresses;
import org.panamaverbs.spi.support.HostNames;
import org.panamaverbs.spi.support.Known;
import org.panamaverbs.spi.support.Readiness;
import org.panamaverbs.spi.support.Waits;

/** Waits for requests. Those that wait for the application count against the backlog; beyond it peers are rejected. */
public final class IbvListener extends ManagedResource implements Listener, EventMember, EventTarget {
    private static final EventWriter WRITER = EventWriter.get();
    private static final long DESTROY_SECONDS = 10;

    // Whose peers it hears; the first made it.
    private final List<CmContext> managers;
    private final CmId id;
    // Its own, which ends with the last connection; null: that of its device. Set once it listens.
    private volatile @Nullable CmChannel channel;
    private final InetSocketAddress address;
    private final int backlog;

    private final ReentrantLock lock;
    private final Condition changed;
    private final Readiness readiness;
    // Guarded by lock. A deque that lacks memory to grow would lose what it holds.
    private final List<Waiting> waiting;
    private boolean closed;
    private boolean removed;

    /** A request, and who is to answer it. */
    private record Waiting(CmContext manager, CmId.Incoming request) {}

    private IbvListener(List<CmContext> managers, CmId id, InetSocketAddress address, int backlog) {
        super(
                "listener at " + SocketAddresses.text(address),
                managers.stream().map(CmContext::context).toArray(ManagedResource[]::new));
        this.managers = managers;
        this.id = id;
        this.address = address;
        this.backlog = backlog;
        try {
            lock = new ReentrantLock();
            changed = lock.newCondition();
            waiting = new ArrayList<>();
            readiness = new Readiness();
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    /**
     * Listens at {@code address}.
     *
     * @throws ConnectionException if it cannot be bound, or is another device's
     */
    static IbvListener open(CmContext manager, InetSocketAddress address, ListenerConfig config) {
        return open(manager, address, config, manager.channel()::create);
    }

    /**
     * Listens at {@code address}, of a wildcard, for the peers of {@code others} as well.
     *
     * @throws IllegalArgumentException if it is another address, or a device is named twice
     */
    static IbvListener open(
            CmContext manager, List<CmContext> others, InetSocketAddress address, ListenerConfig config) {
        if (address.isUnresolved() || !address.getAddress().isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    "listen: several devices need a wildcard address, got " + SocketAddresses.text(address)
                            + "; remedy: listen at 0.0.0.0 or ::, or with each device by itself");
        }
        List<CmContext> managers = new ArrayList<>(List.of(manager));
        managers.addAll(others);
        String names = managers.stream().map(CmContext::device).collect(Collectors.joining(", "));
        if (managers.stream().map(CmContext::device).distinct().count() < managers.size()) {
            throw new IllegalArgumentException("listen: each device can be named once, got " + names);
        }
        // Not that of one device: connections of the others must not keep it open.
        return Creation.of(
                () -> CmChannel.open(names),
                channel -> open(List.copyOf(managers), channel, address, config, channel::create),
                channel -> channel.close(Deadline.now()));
    }

    /** Listens for requests for datagrams, whose ports are not those of connections. */
    public static IbvListener openForDatagrams(CmContext manager, InetSocketAddress address, ListenerConfig config) {
        return open(manager, address, config, manager.channel()::createForDatagrams);
    }

    /** Listens with an id that {@code create} makes. */
    static IbvListener open(
            CmContext manager, InetSocketAddress address, ListenerConfig config, Function<String, CmId> create) {
        return open(List.of(manager), null, address, config, create);
    }

    private static IbvListener open(
            List<CmContext> managers,
            @Nullable CmChannel channel,
            InetSocketAddress address,
            ListenerConfig config,
            Function<String, CmId> create) {
        managers.getFirst().limits().check(config);
        Known.options("ibverbs", List.of(), config);
        InetSocketAddress resolved = HostAddresses.bound(
                "listen", HostNames.resolved("listen", address, Deadline.never()), Dialogue.IPV4_ONLY);
        return LocalPorts.choose(address.getPort() == 0, () -> tryOpen(managers, channel, resolved, config, create));
    }

    private static IbvListener tryOpen(
            List<CmContext> managers,
            @Nullable CmChannel channel,
            InetSocketAddress address,
            ListenerConfig config,
            Function<String, CmId> create) {
        CmContext manager = managers.getFirst();
        CmId id = create.apply("a listener at " + SocketAddresses.text(address));
        IbvListener listener = null;
        boolean listening = false;
        try {
            bind(manager, id, address, config);
            InetSocketAddress local = manager.localAddress(id);
            listener = new IbvListener(managers, id, local, config.backlog());
            for (CmContext each : managers) {
                each.context().objects().register(id.pointer(), listener);
            }
            listener.requireDevice(); // one that was lost before has nothing more to tell
            id.offerTo(listener, IbvListener::take);
            id.deliverTo(listener, IbvListener::heard);
            check(
                    manager.failures("listen", address),
                    CmCalls.LISTEN.name(),
                    id.call(() -> CmCalls.LISTEN.status(id.pointer(), config.backlog())));
            listener.owns(channel);
            listening = true;
            return listener;
        } finally {
            if (!listening && listener != null) {
                listener.closeOrLeave();
            } else if (!listening) {
                id.discard();
                id.awaitDestroyed(DESTROY_SECONDS);
            }
        }
    }

    /** Has closing close {@code its}, too; at once if something has closed this already. */
    private void owns(@Nullable CmChannel its) {
        channel = its;
        if (its != null && !isOpen()) {
            its.close(Deadline.now());
        }
    }

    private static void bind(CmContext manager, CmId id, InetSocketAddress address, ListenerConfig config) {
        ConnectionFailures failures = manager.failures("listen", address);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment flag = arena.allocateFrom(ValueLayout.JAVA_INT, config.reuseAddress() ? 1 : 0);
            int errno = id.call(() -> CmCalls.SET_OPTION.status(
                    id.pointer(), Rdmacm.RDMA_OPTION_ID(), Rdmacm.RDMA_OPTION_ID_REUSEADDR(), flag, flag.byteSize()));
            check(failures, CmCalls.SET_OPTION.name(), errno);
            if (config.ipv6Only()) {
                ipv6Only(id, address, failures, arena);
            }
            MemorySegment wanted = SocketAddresses.encode(address, arena);
            check(failures, CmCalls.BIND_ADDR.name(), id.call(() -> CmCalls.BIND_ADDR.status(id.pointer(), wanted)));
        }
        String device = manager.deviceName(id);
        // None: a wildcard address, which is every device's.
        if (device != null && !device.equals(manager.device())) {
            throw failures.otherDevice(device, manager.localAddress(id));
        }
    }

    private static void ipv6Only(CmId id, InetSocketAddress address, ConnectionFailures failures, Arena arena) {
        if (!(address.getAddress() instanceof Inet6Address)) {
            throw new IllegalArgumentException("ipv6Only needs an IPv6 address, got " + SocketAddresses.text(address));
        }
        MemorySegment flag = arena.allocateFrom(ValueLayout.JAVA_INT, 1);
        check(
                failures,
                CmCalls.SET_OPTION.name(),
                id.call(() -> CmCalls.SET_OPTION.status(
                        id.pointer(), Rdmacm.RDMA_OPTION_ID(), Rdmacm.RDMA_OPTION_ID_AFONLY(), flag, flag.byteSize())));
    }

    private static void check(ConnectionFailures failures, String call, int errno) {
        if (errno != 0) {
            throw failures.call(call, errno);
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        return address;
    }

    @Override
    public Optional<ConnectionRequest> poll(Deadline deadline) {
        return poll(deadline, IbvConnectionRequest::new);
    }

    /** Waits for a request as {@link #poll(Deadline)} does, and has {@code maker} make what the caller gets. */
    public <T> Optional<T> poll(Deadline deadline, IncomingRequest.Maker<? extends T> maker) {
        Waiting request = next(deadline);
        return request == null ? Optional.empty() : IncomingRequest.open(request.manager(), request.request(), maker);
    }

    @Override
    public Taken take(Event event) {
        Waiting request = isOpen() ? oldest() : null;
        if (request != null) {
            WRITER.request(
                    event,
                    IncomingRequest.<IbvConnectionRequest>open(
                                    request.manager(), request.request(), IbvConnectionRequest::new)
                            .orElseThrow());
            return Taken.ONE;
        }
        try {
            requireDevice();
        } catch (ConnectionException e) {
            WRITER.failed(event, e);
            return Taken.LAST;
        }
        return Taken.NOTHING;
    }

    @Override
    public Readiness readiness() {
        return readiness;
    }

    @Override
    public ManagedResource device() {
        return managers.getFirst().context();
    }

    @Override
    protected void release() {
        readiness.closed();
    }

    /** Waits for a request, which is the caller's then; returns null if there is none in time. */
    private @Nullable Waiting next(Deadline deadline) {
        Waiting request;
        try {
            request = await(deadline);
        } catch (InterruptedException e) {
            throw Waits.interrupted("accept", "a request at " + SocketAddresses.text(address));
        }
        if (request == null) {
            requireOpen();
            requireDevice();
        }
        return request;
    }

    @Override
    protected void destroy() {
        for (CmContext each : managers) {
            each.context().objects().forget(id.pointer(), this);
        }
        lock.lock();
        try {
            closed = true;
            drop();
        } finally {
            lock.unlock();
        }
        id.end(resourceName(), DESTROY_SECONDS);
        CmChannel own = channel;
        if (own != null) {
            own.close(Deadline.now());
        }
    }

    /** Wakes who waits for a request, and drops those that wait; under the lock. Can be repeated if it throws. */
    private void drop() {
        changed.signalAll();
        while (!waiting.isEmpty()) {
            waiting.getFirst().request().id().discard();
            waiting.removeFirst();
        }
    }

    private void requireDevice() {
        lock.lock();
        try {
            if (removed || areLost()) {
                throw new ConnectionException(
                        "accept",
                        ConnectionException.Reason.CLOSED,
                        resourceName() + " receives no more requests: device "
                                + managers.stream().map(CmContext::device).collect(Collectors.joining(", "))
                                + " was removed",
                        null);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes an event of the listener itself on one of the channel's threads: the removal of its device, which comes as
     * {@link CmEventType#LOST} where it could not be followed at first.
     */
    private void heard(CmEvent event) {
        managers.getFirst().tell(event.type(), null, resourceName());
        if (event.type().isEnd()) {
            hearNobody();
        }
    }

    /** Hears of the loss of the device, of which the connection manager tells no listener at a wildcard address. */
    @Override
    public void raised(AsyncEvent.Type type) {
        if (areLost()) {
            hearNobody();
        }
    }

    private boolean areLost() {
        return managers.stream().allMatch(each -> each.context().isLost());
    }

    @Override
    public String told(AsyncEvent.Type type) {
        return resourceName();
    }

    private void hearNobody() {
        lock.lock();
        try {
            removed = true;
            readiness.changed();
            drop();
        } finally {
            lock.unlock();
        }
    }

    /** Takes a request on the thread that takes events; false to reject it. */
    private boolean take(CmId.Incoming request) {
        // A wildcard address hears other devices' peers too, whom no queue pair of this one can serve.
        CmContext first = managers.getFirst();
        String device = first.deviceName(request.id());
        String refusal;
        lock.lock();
        try {
            if (closed || removed) {
                return false;
            }
            CmContext manager = manager(device);
            refusal = manager == null
                    ? "it came over another device, " + device + "; remedy: open that one, too, and name it among the"
                            + " devices of Verbs.listen"
                    : waiting.size() < backlog
                            ? null
                            : "the backlog of " + backlog + " requests is full; remedy: accept sooner, or"
                                    + " raise ListenerConfig's backlog";
            if (manager != null && refusal == null) {
                waiting.add(new Waiting(manager, request));
                changed.signal();
                readiness.changed();
                return true;
            }
        } catch (OutOfMemoryError e) {
            return false; // which rejects it
        } finally {
            lock.unlock();
        }
        tellRefused(request, String.valueOf(refusal));
        return false;
    }

    /** Returns whose {@code device} is, null if it is none of those that this serves. */
    private @Nullable CmContext manager(@Nullable String device) {
        for (CmContext each : managers) {
            if (each.device().equals(device)) {
                return each;
            }
        }
        return null;
    }

    private void tellRefused(CmId.Incoming request, String why) {
        try {
            ConnectionException refusal =
                    new ConnectionException("accept", ConnectionException.Reason.REJECTED, why, null);
            CmContext first = managers.getFirst();
            first.context().watch().notAccepted(first.remoteAddress(request.id()), refusal, 0);
        } catch (OutOfMemoryError e) {
            // It is rejected, which is what the peer waits for.
        }
    }

    private @Nullable Waiting await(Deadline deadline) throws InterruptedException {
        lock.lock();
        try {
            if (waiting.isEmpty()) {
                Waits.interruptibly(() -> !waiting.isEmpty() || closed || removed, deadline, changed);
            }
            return first();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Waiting oldest() {
        lock.lock();
        try {
            return first();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Waiting first() {
        return waiting.isEmpty() ? null : waiting.removeFirst();
    }
}
