package org.panamaverbs.ibverbs.connect;

import java.net.InetSocketAddress;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.support.HostNames;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.cm.CmEvent;
import org.panamaverbs.ibverbs.cm.CmEventType;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.ConnectionFailures;
import org.panamaverbs.ibverbs.cm.ConnectionParameters;
import org.panamaverbs.ibverbs.cm.Dialogue;
import org.panamaverbs.ibverbs.cm.LocalPorts;
import org.panamaverbs.ibverbs.cm.SocketAddresses;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;

/**
 * One attempt to connect a queue pair: resolves address and route, sends the request, and moves the queue pair as the
 * answer says. Used by one thread.
 */
final class Connector {
    private final CmContext manager;
    private final InetSocketAddress peer;
    private final ConnectionConfig config;
    private final ConnectionFailures failures;
    private final IbvQueuePair queuePair;
    private final CmId id;
    private final Dialogue dialogue;

    private Connector(
            CmContext manager,
            InetSocketAddress peer,
            ConnectionConfig config,
            Deadline deadline,
            IbvQueuePair queuePair,
            CmId id) {
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
                return new Connector(manager, resolved, config, deadline, queuePair, id).run(owned);
            });
            setUp.done(made);
            return made;
        } catch (RuntimeException e) {
            throw setUp.undone(e);
        } catch (Error e) {
            throw setUp.undone(e);
        }
    }

    private IbvConnection run(boolean owned) {
        dialogue.resolveAddress(peer, config);
        dialogue.resolveRoute();

        QueuePairSteps steps = new QueuePairSteps(manager, failures, id, queuePair);
        steps.ackTimeout(config.retryTimes());
        steps.init();
        ConnectionParameters asked = ConnectionParameters.of(config);
        dialogue.call(CmCalls.CONNECT, arena -> CmCalls.CONNECT.status(id.pointer(), steps.encode(asked, arena)));
        CmEvent answer = dialogue.await("the peer did not answer");
        if (answer.type() == CmEventType.CONNECT_RESPONSE) {
            steps.readyToReceive(-1, 0, config.retryTimes()); // the route has the type of service
            steps.readyToSend(-1);
            dialogue.call(CmCalls.ESTABLISH, arena -> CmCalls.ESTABLISH.status(id.pointer()));
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
}
