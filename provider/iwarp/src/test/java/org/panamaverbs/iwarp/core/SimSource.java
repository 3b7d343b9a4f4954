package org.panamaverbs.iwarp.core;

import java.util.SplittableRandom;
import org.panamaverbs.iwarp.core.SimRequests.Request;

/**
 * Where a side sends from: each request has octets of its own, which the application overwrites as soon as the request
 * has completed.
 */
final class SimSource {
    final SimZone zone;
    private final SplittableRandom random;
    private long head;
    private long tail;

    SimSource(SimZone zone, SplittableRandom random) {
        this.zone = zone;
        this.random = random;
    }

    /** Returns the offset of {@code length} octets, filled at random; -1 if there are none now. */
    int take(int length) {
        int at = (int) (tail % zone.size());
        long start = at + length <= zone.size() ? tail : tail + zone.size() - at;
        if (start + length - head > zone.size()) {
            return -1;
        }
        int offset = (int) (start % zone.size());
        tail = start + length;
        scribble(offset, length);
        return offset;
    }

    /** The octets taken so far belong to {@code request} and those before it. */
    void lend(Request request) {
        request.sourceEnd = tail;
    }

    /** {@code request} is over: its octets may be anything now. */
    void giveBack(Request request) {
        while (head < request.sourceEnd) {
            int at = (int) (head % zone.size());
            int length = (int) Math.min(request.sourceEnd - head, zone.size() - at);
            scribble(at, length);
            head += length;
        }
    }

    void scribble(int offset, int length) {
        if (zone.isSealed()) {
            return;
        }
        byte[] octets = new byte[length];
        random.nextBytes(octets);
        zone.store(offset, octets);
    }
}
