package org.panamaverbs.ibverbs.cm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.bindings.rdmacm.Rdmacm;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.spi.support.HostAddresses;
import org.panamaverbs.spi.support.HostNames;
import org.panamaverbs.spi.support.Waits;

/** Calls on an id and the events that answer them, all until one deadline. Used by one thread. */
public final class Dialogue {
    /** Addresses are librdmacm's, whatever the JDK's own sockets are limited to. */
    public static final boolean IPV4_ONLY = false;

    // The kernel's own limit of a resolution; the deadline ends it earlier, the deadline's message is the better one.
    private static final int RESOLVE_MILLIS = 30_000;
    private static final int SLACK_MILLIS = 1_000;

    private final CmContext manager;
    private final CmId id;
    private final ConnectionFailures failures;
    private final Deadline deadline;
    private final String wanted;
    private final String undone;

    /**
     * Begins a dialogue.
     *
     * @param wanted what it is for, for the message of lateness: {@code connection to 192.0.2.1:7174}
     * @param undone what became of the attempt then
     */
    public Dialogue(
            CmContext manager, CmId id, ConnectionFailures failures, Deadline deadline, String wanted, String undone) {
        this.manager = manager;
        this.id = id;
        this.failures = failures;
        this.deadline = deadline;
        this.wanted = wanted;
        this.undone = undone;
    }

    /** Resolves {@code peer} as {@link #askAddress} does, and waits for that. */
    public void resolveAddress(InetSocketAddress peer, ConnectionConfig config) {
        askAddress(peer, config);
        addressResolved(expect(CmEventType.ADDR_RESOLVED));
    }

    /** Asks for {@code peer}, from the local address and with the type of service that {@code config} says. */
    public void askAddress(InetSocketAddress peer, ConnectionConfig config) {
        if (config.typeOfService() != 0) {
            call(CmCalls.SET_OPTION, arena -> setTypeOfService(config, arena));
        }
        InetSocketAddress target = HostAddresses.destination(failures.operation(), peer, IPV4_ONLY);
        @Nullable InetSocketAddress local = config.localAddress();
        @Nullable
        InetSocketAddress source = local == null
                ? null
                : HostAddresses.source(
                        failures.operation(),
                        HostNames.resolved(failures.operation(), local, deadline),
                        target,
                        IPV4_ONLY);
        call(
                CmCalls.RESOLVE_ADDR,
                arena -> CmCalls.RESOLVE_ADDR.status(
                        id.pointer(),
                        source == null ? MemorySegment.NULL : SocketAddresses.encode(source, arena),
                        SocketAddresses.encode(target, arena),
                        resolveMillis()));
    }

    /** Takes {@code answer} to {@link #askAddress}; fails unless the address is this device's. */
    public void addressResolved(CmEvent answer) {
        require(CmEventType.ADDR_RESOLVED, answer);
        requireOurDevice();
    }

    /** Resolves the route to the address, and waits for that. */
    public void resolveRoute() {
        askRoute();
        routeResolved(expect(CmEventType.ROUTE_RESOLVED));
    }

    /** Asks for the route to the address. */
    public void askRoute() {
        call(CmCalls.RESOLVE_ROUTE, arena -> CmCalls.RESOLVE_ROUTE.status(id.pointer(), resolveMillis()));
    }

    /** Takes {@code answer} to {@link #askRoute}. */
    public void routeResolved(CmEvent answer) {
        require(CmEventType.ROUTE_RESOLVED, answer);
    }

    /** Binds the id to {@code local}. */
    public void bind(InetSocketAddress local) {
        InetSocketAddress bound = HostAddresses.bound(failures.operation(), local, IPV4_ONLY);
        call(CmCalls.BIND_ADDR, arena -> CmCalls.BIND_ADDR.status(id.pointer(), SocketAddresses.encode(bound, arena)));
        requireOurDevice();
    }

    /** Runs {@code body}, which is {@code call}; fails unless it returns 0. */
    public void call(Call call, ToIntFunction<Arena> body) {
        int errno = errno(call, body);
        if (errno != 0) {
            throw failures.call(call.name(), errno);
        }
    }

    /** Runs {@code body}, which is {@code call}, and returns its error number or 0. */
    public int errno(Call call, ToIntFunction<Arena> body) {
        try {
            OptionalInt errno = id.performInterruptibly(body, deadline);
            if (errno.isEmpty()) {
                throw late(call.name() + " did not return");
            }
            return errno.getAsInt();
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private WaitInterruptedException interrupted() {
        return Waits.interrupted(failures.operation(), wanted + " on device " + manager.device() + "; " + undone);
    }

    /** Waits for an event, which should be of {@code type}. */
    private CmEvent expect(CmEventType type) {
        return await("RDMA_CM_EVENT_" + type + " did not come");
    }

    private void require(CmEventType type, CmEvent event) {
        if (event.type() != type) {
            throw failures.event(event);
        }
    }

    /** Waits for an event; {@code otherwise} says what it means if there is none. */
    public CmEvent await(String otherwise) {
        try {
            CmEvent event = id.awaitEvent(deadline);
            if (event == null) {
                throw late(otherwise);
            }
            return event;
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private void requireOurDevice() {
        String device = manager.deviceName(id);
        if (!manager.device().equals(device)) {
            throw failures.otherDevice(String.valueOf(device), manager.localAddress(id));
        }
    }

    private int setTypeOfService(ConnectionConfig config, Arena arena) {
        return CmCalls.SET_OPTION.status(
                id.pointer(),
                Rdmacm.RDMA_OPTION_ID(),
                Rdmacm.RDMA_OPTION_ID_TOS(),
                arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) config.typeOfService()),
                1L);
    }

    /** Returns what says that {@code what} was in the way until the deadline. */
    public DeadlineExceededException late(String what) {
        return new DeadlineExceededException(
                failures.operation(),
                "no " + wanted + " on device " + manager.device() + " before the deadline: " + what + "; " + undone);
    }

    private int resolveMillis() {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline.remainingNanos());
        return (int) Math.min(RESOLVE_MILLIS, left + SLACK_MILLIS);
    }
}
