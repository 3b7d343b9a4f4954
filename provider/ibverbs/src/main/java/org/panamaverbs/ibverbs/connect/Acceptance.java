package org.panamaverbs.ibverbs.connect;

import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.OptionalInt;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.cm.CmEvent;
import org.panamaverbs.ibverbs.cm.CmEventType;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.ConnectionFailures;
import org.panamaverbs.ibverbs.cm.ConnectionParameters;
import org.panamaverbs.ibverbs.cm.Negotiated;
import org.panamaverbs.ibverbs.cm.SocketAddresses;
import org.panamaverbs.spi.support.Waits;

/** The accepting of one request: the queue pair is made ready, the peer is answered, and has to follow. */
final class Acceptance implements SetUpSteps {
    private static final System.Logger LOGGER = System.getLogger(Acceptance.class.getName());

    private final CmContext manager;
    private final CmId id;
    private final CmEvent request;
    private final InetSocketAddress remote;
    private final SetUp setUp;
    private final boolean owned;
    private final ConnectionConfig config;
    private final Deadline deadline;
    private final ConnectionFailures failures;
    private final QueuePairSteps steps;
    private final EceSteps ece;
    private final ConnectionParameters answer;

    Acceptance(
            CmContext manager,
            CmId id,
            CmEvent request,
            InetSocketAddress remote,
            SetUp setUp,
            boolean owned,
            ConnectionConfig config,
            Deadline deadline) {
        this.manager = manager;
        this.id = id;
        this.request = request;
        this.remote = remote;
        this.setUp = setUp;
        this.owned = owned;
        this.config = config;
        this.deadline = deadline;
        failures = manager.failures("accept", remote).whenHeard();
        steps = new QueuePairSteps(manager, failures, id, setUp.queuePair());
        ece = new EceSteps(failures, id, setUp.queuePair());
        boolean says = says(manager, request);
        answer = new ConnectionParameters(
                config,
                says
                        ? Math.min(config.responderResources(), request.responderResources())
                        : config.responderResources(),
                says ? Math.min(config.initiatorDepth(), request.initiatorDepth()) : config.initiatorDepth());
    }

    /** Tells whether {@code request} says the peer's depths: MPA revision 1 does not, and then there are zeros. */
    private static boolean says(CmContext manager, CmEvent request) {
        return !manager.isIwarp() || request.responderResources() != 0 || request.initiatorDepth() != 0;
    }

    /**
     * Returns how many Reads and Atomics the peer wants to have outstanding here, -1 if {@code request} does not say.
     */
    static int peerInitiatorDepth(CmContext manager, CmEvent request) {
        return says(manager, request) ? request.responderResources() : -1;
    }

    /** Returns how many Reads and Atomics the peer takes from here, -1 if {@code request} does not say. */
    static int peerResponderResources(CmContext manager, CmEvent request) {
        return says(manager, request) ? request.initiatorDepth() : -1;
    }

    /** Makes all steps, and waits for the peer. */
    IbvConnection run() {
        begin();
        CmEvent event;
        try {
            event = id.awaitEvent(deadline);
        } catch (InterruptedException e) {
            throw interrupted();
        } finally {
            setUp.queuePair().onEstablished(null);
        }
        if (event == null) {
            throw late();
        }
        return next(event);
    }

    @Override
    public void begin() {
        steps.ackTimeout(config.retryTimes());
        steps.init();
        ece.take();
        steps.readyToReceive(answer.responderResources(), config.typeOfService(), config.retryTimes());
        steps.readyToSend(answer.initiatorDepth());
        ece.tell();
        setUp.queuePair().onEstablished(this::notifyEstablished);
        boolean answered = false;
        try {
            answer();
            answered = true;
        } finally {
            if (!answered) {
                setUp.queuePair().onEstablished(null);
            }
        }
    }

    @Override
    public IbvConnection next(CmEvent event) {
        setUp.queuePair().onEstablished(null);
        setUp.answered();
        if (event.type() != CmEventType.ESTABLISHED) {
            throw failures.event(event);
        }
        Negotiated agreed = manager.isIwarp()
                ? manager.negotiated(event, answer)
                : new Negotiated(answer.responderResources(), answer.initiatorDepth());
        steps.established(agreed);
        Negotiated negotiated = new Negotiated(
                agreed.responderResources(),
                agreed.initiatorDepth(),
                peerInitiatorDepth(manager, request),
                peerResponderResources(manager, request));
        return IbvConnection.open(manager, id, setUp.queuePair(), owned, negotiated, request.privateData());
    }

    @Override
    public CmId id() {
        return id;
    }

    @Override
    public DeadlineExceededException late() {
        setUp.queuePair().onEstablished(null);
        return late("the peer did not answer");
    }

    /** Has the connection manager take the peer's first message for the confirmation that may be lost. */
    private void notifyEstablished() {
        try {
            id.call(() -> CmCalls.NOTIFY.status(id.pointer(), Ibverbs.IBV_EVENT_COMM_EST()));
        } catch (IllegalStateException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the peer's first message arrived while the attempt was undone", e);
        }
    }

    private void answer() {
        OptionalInt errno;
        try {
            errno = id.performInterruptibly(this::answer, deadline);
        } catch (InterruptedException e) {
            throw interrupted();
        }
        if (errno.isEmpty()) {
            throw late("rdma_accept did not return");
        }
        if (errno.getAsInt() != 0) {
            throw failures.call(CmCalls.ACCEPT.name(), errno.getAsInt());
        }
    }

    private WaitInterruptedException interrupted() {
        return Waits.interrupted(
                "accept",
                "the connection with " + SocketAddresses.text(remote) + " on device " + manager.device()
                        + "; the attempt was undone");
    }

    private int answer(Arena arena) {
        boolean accepted = false;
        setUp.accepting();
        try {
            int result = CmCalls.ACCEPT.status(id.pointer(), steps.encode(answer, arena));
            accepted = result == 0;
            return result;
        } finally {
            if (!accepted) {
                setUp.answered(); // there is none to come
            }
        }
    }

    private DeadlineExceededException late(String what) {
        return new DeadlineExceededException(
                "accept",
                "no connection with " + SocketAddresses.text(remote) + " on device " + manager.device()
                        + " before the deadline: " + what + "; the attempt was undone");
    }
}
