package org.panamaverbs.sockets.channel;

import java.util.Arrays;
import org.panamaverbs.sockets.stream.StreamObserver;

/** The keys of a channel: who is told when it may be ready. Changed seldom, told often. */
final class Keys implements StreamObserver {
    private volatile StreamObserver[] all = {};

    synchronized void add(StreamObserver key) {
        StreamObserver[] more = Arrays.copyOf(all, all.length + 1);
        more[all.length] = key;
        all = more;
    }

    synchronized void remove(StreamObserver key) {
        all = Arrays.stream(all).filter(each -> !each.equals(key)).toArray(StreamObserver[]::new);
    }

    @Override
    public void changed() {
        for (StreamObserver each : all) {
            each.changed();
        }
    }
}
