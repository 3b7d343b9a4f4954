package org.panamaverbs.bench.sockets;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.bench.loopback.exchange.Patience;
import org.panamaverbs.bench.loopback.exchange.PeerThread;
import org.panamaverbs.bench.loopback.exchange.Side;

/** Round trips of Sends by the verbs that the sockets stand on, of a device with the same options; always polled. */
final class VerbsEnd implements End {
    private static final int DEPTH = 8;
    private static final long SENT = 1;
    private static final long RECEIVED = 2;

    private final Side side = Side.open(OpenConfig.provider("iwarp"), 4 * DEPTH, 2L * MESSAGE_BYTES);
    private final Connection connection;
    private final QueuePair queuePair;
    private final RoundTrips trips = new RoundTrips();
    private final Patience patience = new Patience();
    private @Nullable PeerThread peer;

    /** Listens at a port that {@code says} is told, and accepts. */
    VerbsEnd(IntConsumer says) {
        try (Listener listener = side.verbs().listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            says.accept(listener.localAddress().getPort());
            connection =
                    listener.accept(deadline()).accept(side.queuePairs(DEPTH), ConnectionConfig.defaults(), deadline());
        }
        queuePair = begin();
    }

    /** Connects. */
    VerbsEnd(int port) {
        connection = side.verbs()
                .connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        side.queuePairs(DEPTH),
                        deadline());
        queuePair = begin();
    }

    private static Deadline deadline() {
        return Deadline.in(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private QueuePair begin() {
        QueuePair its = connection.queuePair();
        for (int i = 0; i < DEPTH / 2; i++) {
            side.receive(its, RECEIVED, MESSAGE_BYTES, MESSAGE_BYTES);
        }
        return its;
    }

    private void send() {
        PostStatus.check(queuePair.send(SENT, side.buffer(), 0, MESSAGE_BYTES, SendFlag.SIGNALED));
    }

    private boolean hasReceived() {
        boolean received = false;
        int count = side.poll();
        for (int i = 0; i < count; i++) {
            if (side.completion(i).wrId() == RECEIVED) {
                side.receive(queuePair, RECEIVED, MESSAGE_BYTES, MESSAGE_BYTES);
                received = true;
            }
        }
        return received;
    }

    private boolean answer() {
        if (!hasReceived()) {
            return false;
        }
        send();
        return true;
    }

    @Override
    public void serve(boolean polls) {
        peer = PeerThread.start(this::answer);
    }

    @Override
    public void rest() {
        PeerThread its = peer;
        peer = null;
        if (its != null) {
            its.check();
            its.close();
        }
    }

    @Override
    public Figure measure(boolean polls, long nanos) {
        trips.begin(nanos);
        do {
            send();
            patience.renew();
            while (!hasReceived()) {
                patience.await();
            }
        } while (trips.answered());
        return trips.figure();
    }

    @Override
    public void close() {
        rest();
        connection.close();
        side.close();
    }
}
