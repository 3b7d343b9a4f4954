package org.panamaverbs.sockets.tcp;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What is remembered of peers, by address and port, where rules leave the choice open: who answered over RDMA, and who
 * was reached over plain TCP alone. The address that was asked for least lately is forgotten first.
 */
public final class Peers {
    /** What is known of a peer. */
    public enum Kind {
        /** Nothing: RDMA is tried, and plain TCP soon after. */
        UNKNOWN,

        /** It answered over RDMA the last time: it may take its time to do so again. */
        RDMA,

        /** It was reached over plain TCP alone: RDMA is not tried. */
        PLAIN,

        /** As {@link #PLAIN}, for so long that it is to be asked again; only one caller is told so. */
        PLAIN_LONG_AGO
    }

    /** After how long a plain peer is asked again. */
    static final long ASKED_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(5);

    static final int MOST = 1024;

    private record Known(boolean plain, long sinceNanos) {}

    private final LongSupplier clock;
    private final Map<InetSocketAddress, Known> entries = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<InetSocketAddress, Known> eldest) {
            return size() > MOST;
        }
    };

    /** Creates an empty table, with a clock of nanoseconds. */
    Peers(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns what is known of {@code address}. */
    public synchronized Kind of(InetSocketAddress address) {
        Known entry = entries.get(address);
        if (entry == null) {
            return Kind.UNKNOWN;
        }
        if (!entry.plain) {
            return Kind.RDMA;
        }
        long now = clock.getAsLong();
        if (now - entry.sinceNanos < ASKED_AGAIN_NANOS) {
            return Kind.PLAIN;
        }
        entries.put(address, new Known(true, now));
        return Kind.PLAIN_LONG_AGO;
    }

    /** Remembers that {@code address} has answered over RDMA. */
    public synchronized void answeredByRdma(InetSocketAddress address) {
        entries.put(address, new Known(false, clock.getAsLong()));
    }

    /** Remembers that {@code address} was reached over plain TCP, and not over RDMA. */
    public synchronized void isPlain(InetSocketAddress address) {
        entries.put(address, new Known(true, clock.getAsLong()));
    }

    /** Forgets {@code address} if it was taken for plain; one that has answered over RDMA meanwhile stays known. */
    public synchronized void forgetPlain(InetSocketAddress address) {
        Known entry = entries.get(address);
        if (entry != null && entry.plain) {
            entries.remove(address);
        }
    }

    /** Forgets {@code address}, as it may be another than before. */
    public synchronized void forget(InetSocketAddress address) {
        entries.remove(address);
    }
}
