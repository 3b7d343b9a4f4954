package org.panamaverbs.bench.loopback;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WorkCompletion;

/** A Send there and one back on one active connection after the other; the idle ones share all there is. */
final class ManyConnections implements Exchange {
    private static final int SIZE = 64;
    private static final int DEPTH = 4;
    // Receives have the index of their connection, sends this.
    private static final long SENT = -1;

    private final Link link;
    private final QueuePair[] here;
    private final QueuePair[] there;
    private final Patience patience = new Patience();
    private final PeerThread peer;
    private int next;

    /** Connects {@code idle} and then {@code active} times. */
    ManyConnections(int idle, int active, String progress) {
        OpenConfig config = OpenConfig.provider("iwarp").with("progress", progress);
        link = Link.connect(config, idle + active, DEPTH, 4 * DEPTH * active, 2L * SIZE * active);
        here = new QueuePair[active];
        there = new QueuePair[active];
        for (int i = 0; i < active; i++) {
            here[i] = link.queuePairHere(idle + i);
            there[i] = link.queuePairThere(idle + i);
            receive(link.here(), here, i);
            receive(link.there(), there, i);
        }
        peer = PeerThread.start(this::answer);
    }

    private static void receive(Side side, QueuePair[] queuePairs, int index) {
        side.receive(queuePairs[index], index, (2L * index + 1) * SIZE, SIZE);
    }

    private static void send(Side side, QueuePair[] queuePairs, int index) {
        PostStatus.check(queuePairs[index].send(SENT, side.buffer(), 2L * index * SIZE, SIZE, SIGNALED));
    }

    private boolean answer() {
        int count = link.there().poll();
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = link.there().completion(i);
            if (completion.wrId() != SENT) {
                int index = (int) completion.wrId();
                receive(link.there(), there, index);
                send(link.there(), there, index);
            }
        }
        return count != 0;
    }

    @Override
    public void run() {
        int index = next;
        next = index + 1 == here.length ? 0 : index + 1;
        send(link.here(), here, index);
        patience.renew();
        while (!hasReceived()) {
            patience.await(peer);
        }
    }

    private boolean hasReceived() {
        boolean received = false;
        int count = link.here().poll();
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = link.here().completion(i);
            if (completion.wrId() != SENT) {
                receive(link.here(), here, (int) completion.wrId());
                received = true;
            }
        }
        return received;
    }

    @Override
    public void close() {
        peer.close();
        link.close();
    }
}
