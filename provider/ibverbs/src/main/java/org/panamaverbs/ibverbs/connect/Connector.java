package org.panamaverbs.ibverbs.connect;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.cm.CmChannel;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.cm.CmEvent;
import org.panamaverbs.ibverbs.cm.CmEventType;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.ConnectionFailures;
import org.panamaverbs.ibverbs.cm.ConnectionParameters;
import org.panamaverbs.ibverbs.cm.Dialogue;
import org.panamaverbs.ibverbs.cm.LocalPorts;
import org.panamaverbs.ibverbs.cm.Negotiated;
import org.panamaverbs.ibverbs.cm.SocketAddresses;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.spi.support.HostNames;

/**
 * One attempt to connect a queue pair: resolves address and route, sends the request, and moves the queue pair as the
 * answer says. Used by one thread.
 */
final class Connector implements SetUpSteps {
    /** What is awaited. */
    private enum Phase {
        ADDRESS("RDMA_CM_EVENT_ADDR_RESOLVED did not come"),
        ROUTE("RDMA_CM_EVENT_ROUTE_RESOLVED did not come"),
        ANSWER("the peer did not answer");

        private final String lacking;

        Phase(String lacking) {
            this.lacking = lacking;
        }
    }

    private final CmContext manager;
    private final InetSocketAddress peer;
    private final ConnectionConfig config;
    private final ConnectionFailures failures;
    private final IbvQueuePair queuePair;
    private final CmId id;
    private final Dialogue dialogue;
    private final QueuePairSteps steps;
    private final EceSteps ece;
    private final ConnectionParameters asked;
    private final boolean owned;
    private Phase phase = Phase.ADDRESS;

    private Connector(
            CmContext manager,
            InetSocketAddress peer,
            ConnectionConfig config,
            Deadline deadline,
            IbvQueuePair queuePair,
            boolean owned,
            CmId id) {
        this.owned = owned;
        this.manager = manager;
        this.peer = peer;
        this.config = config;
        this.queuePair = queuePair;
        this.id = id;
        failures = manager.failures("connect", peer);
        dialogue = new Dialogue(
                manager,
                id,
                failures,
                deadline,
                "connection to " + SocketAddresses.text(peer),
                "the attempt was undone and queue pair " + queuePair.number() + " failed");
        steps = new QueuePairSteps(manager, failures, id, queuePair);
        ece = new EceSteps(failures, id, queuePair);
        asked = ConnectionParameters.of(config);
    }

    /**
     * Connects {@code queuePair} to {@code peer}. If that fails the queue pair has failed, and is closed if
     * {@code owned}.
     */
    static IbvConnection connect(
            CmContext manager,
            InetSocketAddress peer,
            IbvQueuePair queuePair,
            boolean owned,
            ConnectionConfig config,
            Deadline deadline) {
        SetUp setUp = SetUp.of(manager, "connect", queuePair, owned);
        try {
            ConnectionParameters.check(config, manager.limits());
            setUp.claim();
            queuePair.watch().begins(peer);
            InetSocketAddress resolved = HostNames.resolved("connect", peer, deadline);
            String purpose = "a connection to " + SocketAddresses.text(resolved);
            InetSocketAddress local = config.localAddress();
            IbvConnection made = LocalPorts.choose(local == null || local.getPort() == 0, () -> {
                CmId id = setUp.id(manager.channel().create(purpose));
                return new Connector(manager, resolved, config, deadline, queuePair, owned, id).run();
            });
            setUp.done(made);
            return made;
        } catch (Throwable e) {
            throw setUp.undone(e);
        }
    }

    /** Begins to connect {@code queuePair} to {@code peer}; otherwise as {@link #connect}, which waits. */
    static PendingConnection begin(
            CmContext manager,
            InetSocketAddress peer,
            IbvQueuePair queuePair,
            boolean owned,
            ConnectionConfig config,
            Deadline deadline) {
        SetUp setUp = SetUp.of(manager, "connect", queuePair, owned);
        PendingSetUp pending = null;
        try {
            ConnectionParameters.check(config, manager.limits());
            setUp.claim();
            queuePair.watch().begins(peer);
            CmChannel channel = manager.channel(); // which may not open
            InetSocketAddress local = config.localAddress();
            boolean free = local == null || local.getPort() == 0;
            PendingSetUp begun = new PendingSetUp(manager, "connect", setUp, free ? LocalPorts.TRIES : 1);
            pending = begun;
            begun.until(deadline);
            HostNames.whenResolved(
                    "connect",
                    peer,
                    resolved -> begun.begin(() -> {
                        CmId id = setUp.id(channel.create("a connection to " + SocketAddresses.text(resolved)));
                        return new Connector(manager, resolved, config, deadline, queuePair, owned, id);
                    }),
                    begun::fail);
            return begun;
        } catch (Throwable e) {
            withdraw(pending);
            throw setUp.undone(e);
        }
    }

    private static void withdraw(@Nullable PendingSetUp pending) {
        if (pending != null) {
            pending.withdraw();
        }
    }

    @Override
    public void begin() {
        dialogue.askAddress(peer, config);
    }

    @Override
    public @Nullable IbvConnection next(CmEvent event) {
        switch (phase) {
            case ADDRESS -> {
                dialogue.addressResolved(event);
                dialogue.askRoute();
                phase = Phase.ROUTE;
            }
            case ROUTE -> {
                dialogue.routeResolved(event);
                ask();
                phase = Phase.ANSWER;
            }
            case ANSWER -> {
                return connected(event);
            }
        }
        return null;
    }

    @Override
    public CmId id() {
        return id;
    }

    @Override
    public DeadlineExceededException late() {
        return dialogue.late(phase.lacking);
    }

    private IbvConnection run() {
        begin();
        IbvConnection made = null;
        while (made == null) {
            made = next(dialogue.await(phase.lacking));
        }
        return made;
    }

    private void ask() {
        steps.ackTimeout(config.retryTimes());
        steps.init();
        ece.tell();
        dialogue.call(CmCalls.CONNECT, arena -> CmCalls.CONNECT.status(id.pointer(), steps.encode(asked, arena)));
    }

    /** Follows the peer's answer; what it has taken back meanwhile can no longer be followed. */
    private void establish() {
        ConnectionFailures answered = failures.whenHeard();
        QueuePairSteps following = new QueuePairSteps(manager, answered, id, queuePair);
        following.readyToReceive(-1, 0, config.retryTimes()); // the route has the type of service
        following.readyToSend(-1);
        int errno = dialogue.errno(CmCalls.ESTABLISH, arena -> CmCalls.ESTABLISH.status(id.pointer()));
        if (errno != 0) {
            throw answered.call(CmCalls.ESTABLISH.name(), errno);
        }
    }

    private IbvConnection connected(CmEvent answer) {
        if (answer.type() == CmEventType.CONNECT_RESPONSE) {
            ece.take();
            establish();
        } else if (answer.type() != CmEventType.ESTABLISHED) {
            throw failures.event(answer);
        }
        Negotiated agreed = manager.negotiated(answer, asked);
        steps.established(agreed);
        if (config.peerToPeer()) {
            queuePair.readyToReceive();
        }
        return IbvConnection.open(manager, id, queuePair, owned, agreed, answer.privateData());
    }
}
