package org.panamaverbs.ibverbs.cm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.bindings.rdmacm.Rdmacm;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.objects.IbvQueuePair;

/**
 * One attempt to connect a queue pair: resolves address and route, sends the request, and moves the queue pair as the
 * answer says. Used by one thread.
 */
final class Connector {
    // The kernel's own limit of a resolution; the deadline ends it earlier, the deadline's message is the better one.
    private static final int RESOLVE_MILLIS = 30_000;
    private static final int SLACK_MILLIS = 1_000;

    private final IbvConnectionManager manager;
    private final InetSocketAddress peer;
    private final ConnectionConfig config;
    private final Deadline deadline;
    private final ConnectionFailures failures;
    private final IbvQueuePair queuePair;
    private final CmId id;

    private Connector(
            IbvConnectionManager manager,
            InetSocketAddress peer,
            ConnectionConfig config,
            Deadline deadline,
            IbvQueuePair queuePair,
            CmId id) {
        this.manager = manager;
        this.peer = peer;
        this.config = config;
        this.deadline = deadline;
        this.queuePair = queuePair;
        this.id = id;
        failures = manager.failures("connect", peer);
    }

    /**
     * Connects {@code queuePair} to {@code peer}. If that fails the queue pair has failed, and is closed if
     * {@code owned}.
     */
    static IbvConnection connect(
            IbvConnectionManager manager,
            InetSocketAddress peer,
            IbvQueuePair queuePair,
            boolean owned,
            ConnectionConfig config,
            Deadline deadline) {
        SetUp setUp = new SetUp(manager, queuePair, owned);
        try {
            ConnectionParameters.check(config, manager.capabilities());
            setUp.claim("connect");
            InetSocketAddress resolved = SocketAddresses.resolved("connect", peer);
            CmId id = setUp.id(manager.channel().create("a connection to " + SocketAddresses.text(resolved)));
            IbvConnection made = new Connector(manager, resolved, config, deadline, queuePair, id).run(owned);
            setUp.done();
            return made;
        } catch (RuntimeException e) {
            throw setUp.undone(e);
        }
    }

    private IbvConnection run(boolean owned) {
        resolveAddress();
        step(CmCalls.RESOLVE_ROUTE, arena -> CmCalls.RESOLVE_ROUTE.status(id.pointer(), resolveMillis()));
        expect(CmEventType.ROUTE_RESOLVED);

        QueuePairSteps steps = new QueuePairSteps(manager, failures, id, queuePair);
        steps.init();
        ConnectionParameters asked = ConnectionParameters.of(config);
        step(CmCalls.CONNECT, arena -> CmCalls.CONNECT.status(id.pointer(), steps.encode(asked, arena)));
        CmEvent answer = awaitEvent("the peer did not answer");
        if (answer.type() == CmEventType.CONNECT_RESPONSE) {
            steps.readyToReceive(-1);
            steps.readyToSend(-1);
            step(CmCalls.ESTABLISH, arena -> CmCalls.ESTABLISH.status(id.pointer()));
        } else if (answer.type() != CmEventType.ESTABLISHED) {
            throw failures.event(answer);
        }
        steps.established();
        if (config.peerToPeer()) {
            queuePair.readyToReceive();
        }
        return IbvConnection.open(
                manager, id, queuePair, owned, manager.negotiated(answer, asked), answer.privateData());
    }

    private void resolveAddress() {
        if (config.typeOfService() != 0) {
            step(CmCalls.SET_OPTION, this::setTypeOfService);
        }
        @Nullable InetSocketAddress local = config.localAddress();
        @Nullable InetSocketAddress source = local == null ? null : SocketAddresses.resolved("connect", local);
        step(
                CmCalls.RESOLVE_ADDR,
                arena -> CmCalls.RESOLVE_ADDR.status(
                        id.pointer(),
                        source == null ? MemorySegment.NULL : SocketAddresses.encode(source, arena),
                        SocketAddresses.encode(peer, arena),
                        resolveMillis()));
        expect(CmEventType.ADDR_RESOLVED);
        String device = id.deviceName();
        if (!manager.device().equals(device)) {
            throw failures.otherDevice(String.valueOf(device), manager.localAddress(id));
        }
    }

    private int setTypeOfService(Arena arena) {
        return CmCalls.SET_OPTION.status(
                id.pointer(),
                Rdmacm.RDMA_OPTION_ID(),
                Rdmacm.RDMA_OPTION_ID_TOS(),
                arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) config.typeOfService()),
                1L);
    }

    private void step(Call call, ToIntFunction<Arena> body) {
        OptionalInt errno = id.perform(body, deadline);
        if (errno.isEmpty()) {
            throw late(call.name() + " did not return");
        }
        if (errno.getAsInt() != 0) {
            throw failures.call(call.name(), errno.getAsInt());
        }
    }

    private void expect(CmEventType type) {
        CmEvent event = awaitEvent("RDMA_CM_EVENT_" + type + " did not come");
        if (event.type() != type) {
            throw failures.event(event);
        }
    }

    private CmEvent awaitEvent(String otherwise) {
        CmEvent event = id.awaitEvent(deadline);
        if (event == null) {
            throw late(otherwise);
        }
        return event;
    }

    private DeadlineExceededException late(String what) {
        return new DeadlineExceededException(
                "connect",
                "no connection to " + SocketAddresses.text(peer) + " on device " + manager.device() + " in time: "
                        + what + "; the attempt was undone and queue pair " + queuePair.number() + " failed");
    }

    private int resolveMillis() {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline.remainingNanos());
        return (int) Math.min(RESOLVE_MILLIS, left + SLACK_MILLIS);
    }
}
