package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of registered memory, and what the model knows of each octet: what is there for certain, and what requests
 * that were posted may have put there meanwhile.
 */
final class SimZone {
    /** What a request does to a zone. */
    static final class Change {
        final SimZone zone;
        final int offset;
        final int length;
        /** Whether it is carried out behind the requests that wait for responses, not on arrival. */
        final boolean queued;
        /** What may be seen there; more than one while a Read races with what follows it. */
        private final List<byte[]> candidates = new ArrayList<>(1);

        private boolean confirmed;

        Change(SimZone zone, int offset, boolean queued, byte[] octets) {
            this.zone = zone;
            this.offset = offset;
            this.length = octets.length;
            this.queued = queued;
            candidates.add(octets);
        }

        /** A request that does not wait for this Read puts {@code octets} at {@code at} of what is read. */
        void mayAlsoSee(int at, byte... octets) {
            byte[] also = candidates.getFirst().clone();
            int from = Math.max(0, at);
            int to = Math.min(also.length, at + octets.length);
            if (from < to) {
                System.arraycopy(octets, from - at, also, from, to - from);
                candidates.add(also);
            }
        }

        private boolean allows(int at, int octets, byte[] actual, int from) {
            int start = at - offset;
            for (byte[] candidate : candidates) {
                if (Arrays.equals(candidate, start, start + octets, actual, from, from + octets)) {
                    return true;
                }
            }
            return false;
        }
    }

    final String name;
    final Guarded memory;
    private final int unit;
    private final byte[] sure;
    private final byte[] latest;
    private final List<Change> open = new ArrayList<>();
    private byte @Nullable [] sealed;
    private SimDamage damage = new SimDamage(false);

    /** Creates a zone whose octets change in groups of {@code unit} at once. */
    SimZone(String name, Guarded memory, int unit) {
        this.name = name;
        this.memory = memory;
        this.unit = unit;
        sure = memory.bytes();
        latest = sure.clone();
    }

    /** From now on what differs is reported to {@code damage}. */
    void reportTo(SimDamage whose) {
        damage = whose;
    }

    int size() {
        return sure.length;
    }

    long address(int offset) {
        return memory.base + offset;
    }

    int stag() {
        return memory.stag();
    }

    /** What is there once everything that was posted is done. */
    byte[] latest(int offset, int length) {
        return Arrays.copyOfRange(latest, offset, offset + length);
    }

    /** The application itself stores octets. */
    void store(int offset, byte... octets) {
        memory.put(offset, octets);
        System.arraycopy(octets, 0, sure, offset, octets.length);
        System.arraycopy(octets, 0, latest, offset, octets.length);
    }

    /** A request is posted that puts {@code octets} there. */
    Change change(int offset, boolean queued, byte... octets) {
        Change change = new Change(this, offset, queued, octets);
        System.arraycopy(octets, 0, latest, offset, octets.length);
        open.add(change);
        return change;
    }

    /** The request's message is delivered: everything it does here is done, unless it waits behind others. */
    void delivered(Change change) {
        if (!change.queued && !open.isEmpty() && open.getFirst() == change) {
            done(change);
        }
    }

    /** The request is answered: everything it does here is done. */
    void done(Change change) {
        if (!change.confirmed) {
            change.confirmed = true;
            System.arraycopy(change.candidates.getFirst(), 0, sure, change.offset, change.length);
            open.remove(change);
        }
    }

    /** The request is done, nothing else touches the place, and so it must be seen now. */
    void seen(Change change) {
        if (change.confirmed || sealed != null) {
            return;
        }
        byte[] actual = memory.bytes(change.offset, change.length);
        for (int i = 0; i < actual.length; i++) {
            if (!change.allows(change.offset + i, 1, actual, i)) {
                int at = change.offset + i;
                damage.found(this, at, "expected %s, found %02x".formatted(expected(List.of(change), at), actual[i]));
            }
        }
        done(change);
        System.arraycopy(actual, 0, sure, change.offset, change.length);
        System.arraycopy(actual, 0, latest, change.offset, change.length);
    }

    /** The request cannot have happened. */
    void forget(Change change) {
        open.remove(change);
    }

    /** Access is taken away: from now on nothing may change. */
    void seal() {
        if (sealed == null) {
            check();
            sealed = memory.bytes();
            memory.region.revoke();
        }
    }

    boolean isSealed() {
        return sealed != null;
    }

    /** Fails if an octet is there that the model does not know of. */
    void check() {
        memory.assertGuards();
        byte[] before = sealed;
        if (memory.memory.mismatch(MemorySegment.ofArray(before == null ? sure : before)) < 0) {
            return;
        }
        byte[] actual = memory.bytes();
        if (before != null) {
            int at = Arrays.mismatch(before, actual);
            if (at >= 0) {
                throw new AssertionError("%s at %d: expected %02x as when its STag was revoked, found %02x"
                        .formatted(name, at, before[at], actual[at]));
            }
            return;
        }
        for (int at = Arrays.mismatch(sure, actual); at >= 0 && at < actual.length; ) {
            int start = at - at % unit;
            if (!isAllowed(start, actual)) {
                damage.found(
                        this,
                        at,
                        "expected %02x%s, found %02x"
                                .formatted(sure[at], open.isEmpty() ? "" : " or " + expected(open, at), actual[at]));
            }
            at = start + unit;
            int next = Arrays.mismatch(sure, at, sure.length, actual, at, actual.length);
            at = next < 0 ? -1 : at + next;
        }
    }

    private boolean isAllowed(int start, byte... actual) {
        if (Arrays.equals(sure, start, start + unit, actual, start, start + unit)) {
            return true;
        }
        for (Change change : open) {
            if (change.offset <= start
                    && start + unit <= change.offset + change.length
                    && change.allows(start, unit, actual, start)) {
                return true;
            }
        }
        return false;
    }

    private static String expected(List<Change> changes, int at) {
        List<String> values = new ArrayList<>();
        for (Change change : changes) {
            for (byte[] candidate : change.candidates) {
                if (at >= change.offset && at < change.offset + change.length) {
                    values.add("%02x".formatted(candidate[at - change.offset]));
                }
            }
        }
        return values.isEmpty() ? "nothing else" : String.join(" or ", values);
    }
}
