package org.panamaverbs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.memory.Resources;

/** Two sides and the connection between them. */
public final class ConnectedPair {
    private final ProviderUnderTest provider;
    private final Resources resources;
    private final Poller poller;
    private final Endpoint a;
    private final Endpoint b;
    private final Link link;

    ConnectedPair(
            ProviderUnderTest provider, Resources resources, Poller poller, Endpoint a, Endpoint b, PairConfig config) {
        this.provider = provider;
        this.resources = resources;
        this.poller = poller;
        this.a = a;
        this.b = b;
        link = connect(
                a.newQueuePair(config.queuePairA()),
                b.newQueuePair(config.queuePairB()),
                config.connectionA().apply(a.connectionConfig()),
                config.connectionB().apply(b.connectionConfig()));
    }

    /** Returns the side that connected. */
    public Endpoint a() {
        return a;
    }

    /** Returns the side that accepted. */
    public Endpoint b() {
        return b;
    }

    /** Returns the connection. */
    public Link link() {
        return link;
    }

    /** Returns A's queue pair. */
    public QueuePair qpA() {
        return link.qpA();
    }

    /** Returns B's queue pair. */
    public QueuePair qpB() {
        return link.qpB();
    }

    /** Returns what polls both sides. */
    public Poller poller() {
        return poller;
    }

    /** Connects two more queue pairs of the two sides. */
    public Link connect(QueuePair queuePairA, QueuePair queuePairB) {
        return connect(queuePairA, queuePairB, a.connectionConfig(), b.connectionConfig());
    }

    /** Connects two more queue pairs of the two sides as the configurations say. */
    public Link connect(
            QueuePair queuePairA, QueuePair queuePairB, ConnectionConfig configA, ConnectionConfig configB) {
        try (Listener listener = b.verbs().listen(provider.listenAddress())) {
            Background<Connection> accepting = Background.start("accept", () -> {
                try (ConnectionRequest request = listener.accept(Waits.deadline())) {
                    return resources.add(request.accept(queuePairB, configB, Waits.deadline()));
                }
            });
            Connection connectionA = resources.add(a.verbs()
                    .connect(provider.connectAddress(listener.localAddress()), queuePairA, configA, Waits.deadline()));
            poller.await("the peer's accept", accepting::isDone);
            return new Link(connectionA, accepting.await(Waits.deadline()));
        }
    }

    /**
     * Sends an empty message from A to B over {@code over} and takes its completions, whose queues must have no others
     * waiting: what A posted before is placed at B then.
     */
    public void barrier(Link over) {
        Posts.accepted(over.qpB().recv(-1, b.buffer(), 0, 0));
        Posts.accepted(over.qpA().send(-2, a.buffer(), 0, 0, SendFlag.SIGNALED));
        a.inbox().takeOk(-2);
        b.inbox().takeOk(-1);
    }

    /** Sends an empty message over the first connection; see {@link #barrier(Link)}. */
    public void barrier() {
        barrier(link);
    }

    /**
     * Polls until both ends of the connection are down; without {@link Guarantee#REFUSAL_ENDS_BOTH} only A's, the
     * requester's.
     */
    public void awaitDown() {
        awaitDown(link);
    }

    /** Polls until both ends of {@code which} are down. */
    public void awaitDown(Link which) {
        poller.await("A's end is down", () -> isDown(which.a()));
        if (a.keeps(Guarantee.REFUSAL_ENDS_BOTH)) {
            poller.await("B's end is down", () -> isDown(which.b()));
        }
    }

    /** Tells whether {@code end} is disconnected or its queue pair failed. */
    public static boolean isDown(Connection end) {
        return !end.isConnected() || end.queuePair().state() == QueuePairState.ERROR;
    }

    /**
     * Checks, where both sides speak iWARP and tell, that side B found the error and told A, as one of {@code codes},
     * written as {@code layer/type/code}, for example {@code 1/1/00}.
     */
    public void expectTerminate(String... codes) {
        expectTerminate(link, codes);
    }

    /** Checks the Terminate of {@code which}; otherwise as {@link #expectTerminate(String...)}. */
    public void expectTerminate(Link which, String... codes) {
        if (!a.terminates() || !b.terminates() || !provider.reportsTerminate()) {
            return;
        }
        poller.await("B's cause", () -> which.b().terminateCause().isPresent());
        TerminateCause found = which.b().terminateCause().orElseThrow();
        assertThat(Set.of(codes)).as("B found %s", found).contains(code(found));
        assertThat(found.origin()).as("%s", found).isEqualTo(TerminateCause.Origin.LOCAL);
        poller.await("A's cause", () -> which.a().terminateCause().isPresent());
        Optional<TerminateCause> told = which.a().terminateCause();
        assertThat(told.map(ConnectedPair::code)).as("A was told %s", told).contains(code(found));
        assertThat(told.orElseThrow().origin()).as("%s", told).isEqualTo(TerminateCause.Origin.REMOTE);
        assertThat(which.qpB().terminateCause()).contains(found);
    }

    private static String code(TerminateCause cause) {
        return "%x/%x/%02x".formatted(cause.layer(), cause.errorType(), cause.errorCode());
    }
}
