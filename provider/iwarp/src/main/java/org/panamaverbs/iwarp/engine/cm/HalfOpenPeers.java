package org.panamaverbs.iwarp.engine.cm;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Those of whom a request is awaited, oldest first, and who of them has to go when there is no room: the oldest of the
 * source that has most. So a source loses no place to one that holds as many or more, and one that holds a single place
 * loses it only to others that hold no more.
 *
 * <p>Nobody goes before {@code graceNanos} have passed: a burst of good peers is not mistaken for an attack.
 *
 * @param <P> who is awaited
 */
final class HalfOpenPeers<P> {
    private record Place(Source source, long since) {}

    /**
     * Where a peer comes from: an IPv4 address, or the 64 bits of an IPv6 address that a site has to itself.
     *
     * @param version 4 or 6
     * @param prefix the address or its first half
     */
    public record Source(int version, long prefix) {
        public static Source of(InetAddress address) {
            ByteBuffer octets = ByteBuffer.wrap(address.getAddress());
            return address instanceof Inet4Address
                    ? new Source(4, octets.getInt() & 0xFFFF_FFFFL)
                    : new Source(6, octets.getLong());
        }

        // A record's own costs a process milliseconds with its first peer.
        @Override
        public int hashCode() {
            return 31 * Long.hashCode(prefix) + version;
        }
    }

    private final int limit;
    private final long graceNanos;
    private final Map<P, Place> places = new LinkedHashMap<>();
    private final Map<Source, Integer> shares = new HashMap<>();

    /** Creates {@code limit} places. */
    public HalfOpenPeers(int limit, long graceNanos) {
        this.limit = limit;
        this.graceNanos = graceNanos;
    }

    /** Adds {@code peer}, which came from {@code address}. */
    public void add(P peer, InetAddress address, long now) {
        Source source = Source.of(address);
        places.put(peer, new Place(source, now));
        boolean counted = false;
        try {
            shares.merge(source, 1, Integer::sum);
            counted = true;
        } finally {
            if (!counted) {
                places.remove(peer);
            }
        }
    }

    /** Removes {@code peer}; false if it was not there. */
    public boolean remove(P peer) {
        Place place = places.remove(peer);
        if (place == null) {
            return false;
        }
        shares.computeIfPresent(place.source(), (source, share) -> share == 1 ? null : share - 1);
        return true;
    }

    /** Tells whether {@code peer} is there. */
    public boolean contains(P peer) {
        return places.containsKey(peer);
    }

    /** Tells whether no place is free. */
    public boolean isFull() {
        return places.size() >= limit;
    }

    /** Returns who has to go first, null if there is no pending peer. */
    @Nullable
    public P next() {
        Map.Entry<P, Place> next = nextPlace();
        return next == null ? null : next.getKey();
    }

    /** Returns from when on {@link #next()} may be sent away; only if somebody is there. */
    public long nextNanos() {
        Map.Entry<P, Place> next = nextPlace();
        if (next == null) {
            throw new IllegalStateException("there is no pending peer");
        }
        return next.getValue().since() + graceNanos;
    }

    private Map.@Nullable Entry<P, Place> nextPlace() {
        int most = 0;
        for (int share : shares.values()) {
            most = Math.max(most, share);
        }
        for (Map.Entry<P, Place> entry : places.entrySet()) {
            if (shares.getOrDefault(entry.getValue().source(), 0) == most) {
                return entry;
            }
        }
        return null;
    }

    /** Returns all of them now. */
    public List<P> all() {
        return List.copyOf(places.keySet());
    }
}
