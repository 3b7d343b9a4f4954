package org.panamaverbs.bench.loopback.many;

import java.util.stream.IntStream;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.bench.loopback.exchange.Exchange;
import org.panamaverbs.bench.loopback.exchange.Link;
import org.panamaverbs.bench.loopback.exchange.Patience;
import org.panamaverbs.bench.loopback.exchange.PeerThread;

/** A Send there and one back on one active connection after the other; the idle ones share all there is. */
public final class ManyConnections implements Exchange {
    private final Link link;
    private final ActiveEnds here;
    private final Patience patience = new Patience();
    private final PeerThread peer;

    /** Connects {@code idle} and then {@code active} times. */
    public ManyConnections(int idle, int active, String progress) {
        OpenConfig config = OpenConfig.provider("iwarp").with("shm", "off").with("progress", progress);
        int all = idle + active;
        link = Link.connect(config, all, ActiveEnds.DEPTH, ActiveEnds.completions(active), ActiveEnds.bytes(active));
        here = new ActiveEnds(
                link.here(),
                IntStream.range(idle, all).mapToObj(link::queuePairHere).toList());
        ActiveEnds there = new ActiveEnds(
                link.there(),
                IntStream.range(idle, all).mapToObj(link::queuePairThere).toList());
        peer = PeerThread.start(there::answer);
    }

    @Override
    public void run() {
        here.sendNext();
        patience.renew();
        while (!here.hasReceived()) {
            patience.await(peer);
        }
    }

    @Override
    public void close() {
        peer.close();
        link.close();
    }
}
