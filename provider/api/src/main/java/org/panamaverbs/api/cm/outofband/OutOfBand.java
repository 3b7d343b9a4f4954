package org.panamaverbs.api.cm.outofband;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.DatagramDestination;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.cm.RetryTimes;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * Connects a queue pair out of band: without a connection manager, by data that both sides exchange over a socket or
 * another channel. Needs {@link Feature#OUT_OF_BAND}.
 *
 * <pre>{@code
 * var outOfBand = OutOfBand.of(verbs, queuePair, OutOfBandConfig.defaults());
 * QueuePairEndpoint peer = outOfBand.connect(socket.getInputStream(), socket.getOutputStream(), buffer.remote());
 * PostStatus.check(queuePair.write(1, buffer, 0, 512, peer.buffers().get(0), 0, SIGNALED));
 * }</pre>
 *
 * <p>To exchange endpoints in another way, use the single steps: send {@link #endpoint} to the peer, call
 * {@link #readyToReceive} with the peer's, then {@link #readyToSend}. In between, the peers must agree that both are
 * ready to receive, as {@code connect} does: earlier messages are retransmitted on RC, and lost on UC and UD.
 *
 * <p>It needs no closing, and the queue pair stays the caller's: closing that ends the connection. The peer is not
 * notified; its requests fail with RETRY_EXCEEDED. One thread at a time uses it.
 */
public final class OutOfBand {
    private static final int BITS_24 = 1 << 24;
    // As perftest and libibverbs' examples have them: 67 ms and 0.64 ms.
    private static final int ACK_TIMEOUT = 14;
    private static final int MIN_RNR_TIMER = 12;
    /** What a side writes when it is ready to receive, {@code 'R'}. */
    private static final int READY = 0x52;

    private final Verbs verbs;
    private final QueuePair queuePair;
    private final OutOfBandConfig config;
    private final OwnRoute route;
    private final int psn = ThreadLocalRandom.current().nextInt(BITS_24);

    private OutOfBand(Verbs verbs, QueuePair queuePair, OutOfBandConfig config, OwnRoute route) {
        this.verbs = verbs;
        this.queuePair = queuePair;
        this.config = config;
        this.route = route;
    }

    /**
     * Prepares to connect {@code queuePair}: queries the port's addresses and chooses the first packet number.
     *
     * @param verbs the open device
     * @param queuePair a queue pair of {@code verbs} in state INIT or RESET, of type RC, UC or UD
     * @param config port, GID and options
     * @throws ConnectionException with reason {@link Reason#UNREACHABLE} if the port is not active
     * @throws UnsupportedOperationException if the device lacks {@link Feature#OUT_OF_BAND}, or the queue pair is of
     *     another type
     * @throws IllegalArgumentException if {@code config} exceeds the device, its port or its tables
     * @throws IllegalStateException if the queue pair is closed or in another state
     */
    public static OutOfBand of(Verbs verbs, QueuePair queuePair, OutOfBandConfig config) {
        Capabilities can = verbs.capabilities();
        String device = verbs.device().name();
        can.require(Feature.OUT_OF_BAND, device);
        requirePeers(queuePair);
        if (queuePair.config().type() == QueuePairType.RC) {
            check("responderResources", config.responderResources(), can.maxResponderResources(), device);
            check("initiatorDepth", config.initiatorDepth(), can.maxInitiatorDepth(), device);
        }
        QueuePairState state = queuePair.state();
        if (state != QueuePairState.INIT && state != QueuePairState.RESET) {
            throw new IllegalStateException("queue pair " + queuePair.number() + " is in state " + state
                    + ", expected INIT or RESET; remedy: move it there with QueuePair.modify, then connect it out of"
                    + " band");
        }
        return new OutOfBand(verbs, queuePair, config, OwnRoute.of(verbs.port(port(queuePair, config)), config));
    }

    private static int port(QueuePair queuePair, OutOfBandConfig config) {
        int wanted = config.route().port();
        int own = wanted == 0 ? queuePair.config().port() : wanted;
        return own == 0 ? 1 : own; // an adopted queue pair may have been configured with none
    }

    private static void requirePeers(QueuePair queuePair) {
        String why = switch (queuePair.config().type()) {
            case RC, UC, UD -> "";
            case RAW_PACKET -> "which has no peers; remedy: use QueuePair.flow to choose what it receives";
            case XRC_SEND, XRC_RECV ->
                "whose two ends differ; remedy: connect them with QueuePair.modify and XrcReceiver.modify";
            case DRIVER -> "whose vendor defines what its peers need; remedy: change its state with QueuePair.modify";
        };
        if (!why.isEmpty()) {
            throw new UnsupportedOperationException("queue pair " + queuePair.number() + " is of type "
                    + queuePair.config().type() + ", " + why);
        }
    }

    /**
     * Returns the data that the peer needs.
     *
     * @param buffers memory that the peer may access, at most {@link QueuePairEndpoint#MAX_BUFFERS}
     */
    public QueuePairEndpoint endpoint(RemoteBuffer... buffers) {
        QueuePairType type = queuePair.config().type();
        boolean reads = type == QueuePairType.RC;
        return new QueuePairEndpoint(
                type,
                queuePair.number(),
                psn,
                type == QueuePairType.UD ? config.qkey() : 0,
                route.lid(),
                route.gid(),
                route.mtuBytes(),
                reads ? config.responderResources() : 0,
                reads ? config.initiatorDepth() : 0,
                List.of(buffers));
    }

    /**
     * Connects: exchanges endpoints, moves the queue pair to RTR, exchanges a byte {@code 'R'}, and moves the queue
     * pair to RTS. Both sides call it, with streams to each other, which stay open afterwards.
     *
     * <p>The streams limit the wait: for a socket {@link java.net.Socket#setSoTimeout}. An interrupt ends a socket read
     * on a virtual thread only, where it closes the socket; otherwise use the timeout, or close the socket.
     *
     * <p>After a failure the queue pair may be in any state up to RTR; move it to RESET to retry.
     *
     * @param in the stream from the peer; no byte beyond the exchange is read
     * @param out the stream to the peer
     * @param buffers memory that the peer may access
     * @return the peer's endpoint; for datagrams (UD) pass it to {@link #destination}
     * @throws ConnectionException with reason {@link Reason#RESET} if the stream ends, {@link Reason#PROTOCOL} if the
     *     peer sends no valid endpoint, {@link Reason#NEGOTIATION} if its endpoint is incompatible
     * @throws org.panamaverbs.api.ResourceException if the device refuses a transition
     * @throws WaitInterruptedException if the thread is interrupted before it reads; the interrupt flag stays set
     * @throws IOException if the streams fail, for example by timeout or interrupt
     */
    public QueuePairEndpoint connect(InputStream in, OutputStream out, RemoteBuffer... buffers) throws IOException {
        requireNoInterrupt();
        out.write(endpoint(buffers).encode());
        out.flush();
        QueuePairEndpoint peer = QueuePairEndpoint.read(in);
        readyToReceive(peer);
        requireNoInterrupt();
        out.write(READY);
        out.flush();
        int answer = in.read();
        if (answer != READY) {
            throw answer < 0
                    ? new ConnectionException(
                            "exchange", Reason.RESET, "the stream ended before the peer was ready to receive", null)
                    : new ConnectionException(
                            "exchange",
                            Reason.PROTOCOL,
                            String.format(
                                    "the peer sent 0x%02x, expected 0x%02x, which says that it is ready to"
                                            + " receive",
                                    answer, READY),
                            null);
        }
        readyToSend(peer);
        return peer;
    }

    /**
     * Moves the queue pair to RTR: it receives from {@code peer} (RC, UC), or from any sender (UD).
     *
     * @throws ConnectionException with reason {@link Reason#NEGOTIATION} if the peer's queue pair is of another type,
     *     or there is no route to it
     * @throws org.panamaverbs.api.ResourceException if the device refuses a transition
     */
    public void readyToReceive(QueuePairEndpoint peer) {
        QueuePairType type = queuePair.config().type();
        AddressHandleConfig path = path(peer);
        queuePair.modify(init(type));
        QueuePairAttributes attributes = QueuePairAttributes.to(QueuePairState.RTR);
        if (type != QueuePairType.UD) {
            attributes
                    .address(path)
                    .set(Field.PATH_MTU, Math.min(route.mtuBytes(), peer.pathMtuBytes()))
                    .set(Field.DEST_QPN, peer.qpNumber())
                    .set(Field.RQ_PSN, peer.psn());
        }
        if (type == QueuePairType.RC) {
            attributes
                    .set(Field.MAX_DEST_RD_ATOMIC, config.responderResources())
                    .set(Field.MIN_RNR_TIMER, or(config.retryTimes().minRnrTimer(), MIN_RNR_TIMER));
        }
        queuePair.modify(attributes);
    }

    /**
     * Moves the queue pair from RTR to RTS: it sends.
     *
     * @param peer as for {@link #readyToReceive}; its IRD limits this side's Reads and atomics
     * @throws org.panamaverbs.api.ResourceException if the device refuses the transition
     */
    public void readyToSend(QueuePairEndpoint peer) {
        QueuePairAttributes attributes =
                QueuePairAttributes.to(QueuePairState.RTS).set(Field.SQ_PSN, psn);
        if (queuePair.config().type() == QueuePairType.RC) {
            attributes
                    .set(Field.TIMEOUT, or(config.retryTimes().ackTimeout(), ACK_TIMEOUT))
                    .set(Field.RETRY_COUNT, config.retryCount())
                    .set(Field.RNR_RETRY, config.rnrRetryCount())
                    .set(Field.MAX_RD_ATOMIC, Math.min(config.initiatorDepth(), peer.responderResources()));
        }
        queuePair.modify(attributes);
    }

    /**
     * Returns the route to {@code peer}, for an address handle or custom attributes.
     *
     * @throws ConnectionException with reason {@link Reason#NEGOTIATION} if the peer's queue pair is of another type,
     *     or there is no route to it
     */
    public AddressHandleConfig path(QueuePairEndpoint peer) {
        QueuePairType type = queuePair.config().type();
        if (peer.type() != type) {
            throw new ConnectionException(
                    "connect out of band",
                    Reason.NEGOTIATION,
                    "the peer's queue pair is of type " + peer.type() + ", and this side's of type " + type,
                    null);
        }
        return route.to(peer);
    }

    /**
     * Creates the destination of datagrams to {@code peer}, in the queue pair's domain. A queue pair can use any number
     * of them; the caller closes it.
     *
     * @throws ConnectionException with reason {@link Reason#NEGOTIATION} if there is no route to the peer
     * @throws UnsupportedOperationException if the queue pair is not of type UD
     */
    public DatagramDestination destination(QueuePairEndpoint peer) {
        if (queuePair.config().type() != QueuePairType.UD) {
            throw new UnsupportedOperationException("queue pair " + queuePair.number() + " is of type "
                    + queuePair.config().type() + ", datagrams need UD; remedy: create a queue pair of type UD");
        }
        return new Destination(queuePair.config().domain().addressHandle(path(peer)), peer.qpNumber(), peer.qkey());
    }

    /** Returns what INIT needs; rights are set where a reset has taken them. */
    private QueuePairAttributes init(QueuePairType type) {
        QueuePairAttributes attributes = QueuePairAttributes.to(QueuePairState.INIT)
                .set(Field.PKEY_INDEX, config.pkeyIndex())
                .set(Field.PORT, route.template().port());
        if (type == QueuePairType.UD) {
            return attributes.set(Field.QKEY, config.qkey());
        }
        if (queuePair.state() == QueuePairState.INIT) {
            return attributes;
        }
        return attributes.set(Field.ACCESS, rights());
    }

    private int rights() {
        int wanted = Access.mask(queuePair.config().access());
        return (wanted | Access.LOCAL_WRITE.bit()) & verbs.capabilities().peerRights();
    }

    private static void requireNoInterrupt() {
        if (Thread.currentThread().isInterrupted()) {
            throw new WaitInterruptedException("exchange", "interrupted before the peer's endpoint or answer was read");
        }
    }

    private static int or(int code, int otherwise) {
        return code == RetryTimes.UNSET ? otherwise : code;
    }

    private static void check(String what, int value, int most, String device) {
        if (value > most) {
            throw new IllegalArgumentException(
                    what + " must be 0 to " + most + " on device " + device + ", got " + value);
        }
    }

    private record Destination(AddressHandle addressHandle, int qpNumber, int qkey) implements DatagramDestination {
        @Override
        public void close() {
            addressHandle.close();
        }
    }
}
