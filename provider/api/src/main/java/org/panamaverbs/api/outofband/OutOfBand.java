package org.panamaverbs.api.outofband;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.DatagramDestination;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.RetryTimes;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * A queue pair that is connected out of band: without connection manager, by what both sides tell each other over a
 * socket or whatever else they have. Needs {@link Feature#OUT_OF_BAND}.
 *
 * <pre>{@code
 * var outOfBand = OutOfBand.of(verbs, queuePair, OutOfBandConfig.defaults());
 * QueuePairEndpoint peer = outOfBand.connect(socket.getInputStream(), socket.getOutputStream(), buffer.remote());
 * PostStatus.check(queuePair.write(1, buffer, 0, 512, peer.buffers().get(0), 0, SIGNALED));
 * }</pre>
 *
 * <p>The same in steps, for who exchanges endpoints in another way: {@link #endpoint} is sent to the peer;
 * {@link #readyToReceive} with the peer's; {@link #readyToSend}. What is sent before the peer is ready to receive is
 * sent again on RC, and lost on UC and UD, so that the peers have to agree on that in between, as {@code connect} does.
 *
 * <p>Nothing is to be closed, and the queue pair stays the caller's: closing it ends the connection. The peer is not
 * told of that; a request to it fails with RETRY_EXCEEDED. Used by one thread at a time.
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
     * Begins to connect {@code queuePair}: asks the port for its addresses and chooses the first packet's number.
     *
     * @param queuePair a queue pair of {@code verbs} in state INIT or RESET, of type RC, UC or UD
     * @throws ConnectionException with reason {@link Reason#UNREACHABLE} if the port is not active
     * @throws UnsupportedOperationException if the device lacks {@link Feature#OUT_OF_BAND}, or the queue pair has no
     *     peers
     * @throws IllegalArgumentException if the device, its port or its tables have not what {@code config} says
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
                    + ": it is connected out of band from INIT or RESET, to which QueuePair.modify takes it");
        }
        return new OutOfBand(
                verbs, queuePair, config, OwnRoute.of(verbs.port(config.route().port()), config));
    }

    private static void requirePeers(QueuePair queuePair) {
        String why = switch (queuePair.config().type()) {
            case RC, UC, UD -> "";
            case RAW_PACKET -> "which has no peers: QueuePair.flow says what it receives";
            case XRC_SEND, XRC_RECV -> "whose two ends differ: QueuePair.modify and XrcReceiver.modify connect them";
            case DRIVER -> "whose vendor says what its peers need: QueuePair.modify moves it";
        };
        if (!why.isEmpty()) {
            throw new UnsupportedOperationException("queue pair " + queuePair.number() + " is of type "
                    + queuePair.config().type() + ", " + why);
        }
    }

    /**
     * Returns what the peer must know.
     *
     * @param buffers what the peer may access, at most {@link QueuePairEndpoint#MAX_BUFFERS}
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
     * Connects: writes the own endpoint and reads the peer's, has the queue pair receive, writes a byte {@code 'R'} and
     * reads the peer's, and has the queue pair send. Both sides call it, with streams to each other, which stay open
     * and hold nothing of it afterwards. How long that waits is the streams' affair: of a socket
     * {@link java.net.Socket#setSoTimeout}. So is whether an interrupt ends a read under way: of a socket it does on a
     * virtual thread alone, where it closes the socket; elsewhere the timeout does, or closing the socket.
     *
     * <p>If it fails the queue pair may be in any state up to RTR; take it to RESET to try again.
     *
     * @param buffers what the peer may access
     * @return the peer's endpoint; where datagrams go (UD) by {@link #destination}
     * @throws ConnectionException with reason {@link Reason#RESET} if the stream ends, {@link Reason#PROTOCOL} if the
     *     peer says what is no endpoint, {@link Reason#NEGOTIATION} if its endpoint does not go with this one
     * @throws org.panamaverbs.api.ResourceException if the device refuses a transition
     * @throws WaitInterruptedException if the thread is interrupted before it reads; the interrupt flag stays set
     * @throws IOException if the streams fail, as when they time out or an interrupt ends them
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
                            String.format("the peer said 0x%02x where it says 0x%02x when it is ready", answer, READY),
                            null);
        }
        readyToSend(peer);
        return peer;
    }

    /**
     * Takes the queue pair to RTR: it receives from {@code peer} (RC, UC), or from everybody (UD).
     *
     * @throws ConnectionException with reason {@link Reason#NEGOTIATION} if the peer's queue pair is of another type,
     *     or no way leads to it
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
     * Takes the queue pair from RTR to RTS: it sends.
     *
     * @param peer as for {@link #readyToReceive}: what of Reads and Atomics it takes
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
     * Returns the way to {@code peer}, for an address handle or attributes of one's own.
     *
     * @throws ConnectionException with reason {@link Reason#NEGOTIATION} if the peer's queue pair is of another type,
     *     or no way leads to it
     */
    public AddressHandleConfig path(QueuePairEndpoint peer) {
        QueuePairType type = queuePair.config().type();
        if (peer.type() != type) {
            throw new ConnectionException(
                    "connect out of band",
                    Reason.NEGOTIATION,
                    "the peer's queue pair is of type " + peer.type() + ", this side's of type " + type,
                    null);
        }
        return route.to(peer);
    }

    /**
     * Makes the destination of datagrams to {@code peer}, in the queue pair's domain; to be closed after the completion
     * of the last request that names it. A queue pair serves any number of them.
     *
     * @throws ConnectionException with reason {@link Reason#NEGOTIATION} if no way leads there
     * @throws UnsupportedOperationException if the queue pair is not of type UD
     */
    public DatagramDestination destination(QueuePairEndpoint peer) {
        if (queuePair.config().type() != QueuePairType.UD) {
            throw new UnsupportedOperationException("queue pair " + queuePair.number() + " is of type "
                    + queuePair.config().type() + ": destinations of datagrams are of UD");
        }
        return new Destination(queuePair.config().domain().addressHandle(path(peer)), peer.qpNumber(), peer.qkey());
    }

    /** Returns what INIT needs; rights are set where a reset has taken them. */
    private QueuePairAttributes init(QueuePairType type) {
        QueuePairAttributes attributes = QueuePairAttributes.to(QueuePairState.INIT)
                .set(Field.PKEY_INDEX, config.pkeyIndex())
                .set(Field.PORT, config.route().port());
        if (type == QueuePairType.UD) {
            return attributes.set(Field.QKEY, config.qkey());
        }
        if (queuePair.state() == QueuePairState.INIT) {
            return attributes;
        }
        return attributes.set(Field.ACCESS, verbs.capabilities().peerRights());
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
