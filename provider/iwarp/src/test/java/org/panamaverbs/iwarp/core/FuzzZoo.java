package org.panamaverbs.iwarp.core;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.memory.Access;

/**
 * Memory of every kind in one slab, with guard octets in between, and the answer to who may change or see what. It
 * judges by its own arithmetic, not by that of {@link Protection}.
 */
final class FuzzZoo {
    static final int QP = 0x33;
    static final int OPEN = 0;
    static final int LOCAL = 1;
    static final int READ_ONLY = 2;
    static final int WRITE_ONLY = 3;
    static final int ATOMIC_ONLY = 4;
    static final int TOP = 5;
    static final int INNER = 6;
    static final int FOREIGN = 7;
    static final int REVOKED = 8;
    static final int HIDDEN = 9;
    static final int WINDOW = 10;
    static final int OTHERS_WINDOW = 11;
    static final int DOMAIN_WINDOW = 12;
    static final int SPARE_WINDOW = 13;
    static final int AREAS = 14;

    private static final int OTHER_DOMAIN = 2;
    private static final int OTHER_QP = 0x44;
    private static final int GUARD_BYTES = 64;
    private static final int WINDOW_BYTES = 256;
    private static final int REMOTE = Access.mask(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
    private static final int[] BYTES = {4096, 4096, 4096, 512, 64, 512, 1024, 256, 256, 256};
    private static final int SLAB_BYTES = Arrays.stream(BYTES).sum() + GUARD_BYTES * (BYTES.length + 1);
    // Made once: the fuzzer runs thousands of cases a second, one after the other.
    private static final MemorySegment SLAB = Arena.ofAuto().allocate(SLAB_BYTES, 64);

    /** What the slab holds at first; the secrets differ in the octets that the peer may not see, and only there. */
    static final class Secret {
        static final Secret FIRST = new Secret(0x11);
        static final Secret SECOND = new Secret(0x5C);
        static final Secret THIRD = new Secret(0xE7);

        private final byte[] octets = new byte[SLAB_BYTES];

        private Secret(int seed) {
            for (int i = 0; i < octets.length; i++) {
                octets[i] = (byte) (Guarded.octet(seed, i) ^ seed);
            }
            for (int i = OPEN; i <= TOP; i++) {
                fill(offset(i), BYTES[i], i);
            }
            fill(offset(INNER), WINDOW_BYTES, INNER);
            // What the spare window may be bound to can be seen as well.
            fill(offset(INNER) + 2 * WINDOW_BYTES, 2 * WINDOW_BYTES, INNER);
        }

        private void fill(int from, int bytes, int seed) {
            for (int i = 0; i < bytes; i++) {
                octets[from + i] = Guarded.octet(seed, i);
            }
        }
    }

    /** A piece of the slab under an STag. */
    static final class Area {
        final Region region;
        final int offset;
        int from;
        int length;
        int stag;
        long base;
        int access;
        final int domain;
        int scope;
        boolean alive = true;

        Area(Region region, int offset, int length, long base, int access, int domain) {
            this.region = region;
            this.offset = offset;
            this.from = offset;
            this.length = length;
            this.stag = region.stag();
            this.base = base;
            this.access = access;
            this.domain = domain;
        }

        /** Whether the queue pair at test may do {@code right} to all of it; unsigned arithmetic without wrap. */
        boolean permits(long to, long octets, @Nullable Access right) {
            boolean ours = alive && domain == Side.DOMAIN && (scope == 0 || scope == QP);
            boolean allowed = right == null || right.in(access);
            long into = to - base;
            return ours && allowed && octets >= 0 && into >= 0 && into <= length && octets <= length - into;
        }
    }

    final boolean prediction;
    final StagTable stags;
    final List<Area> areas = new ArrayList<>();
    private final byte[] shadow;
    private final boolean[] unitAllowed = new boolean[SLAB_BYTES];
    private final boolean[] allowed = new boolean[SLAB_BYTES];
    private final boolean[] receiving = new boolean[SLAB_BYTES];
    private boolean messageInStep;
    private int nextStag;

    FuzzZoo(Secret secret) {
        this(secret, true);
    }

    /** Makes the same for a stream with {@code prediction}, or without. */
    FuzzZoo(Secret secret, boolean prediction) {
        this.prediction = prediction;
        stags = new StagTable(64, () -> ++nextStag << 8 | (nextStag * 29 & 0xFF));
        shadow = secret.octets.clone();
        SLAB.copyFrom(MemorySegment.ofArray(shadow));
        int open = Guarded.ALL;
        register(0x10000, open, Side.DOMAIN);
        register(0x20000, Guarded.LOCAL, Side.DOMAIN);
        register(0x30000, Access.mask(Access.REMOTE_READ), Side.DOMAIN);
        register(0x40000, Access.mask(Access.LOCAL_WRITE, Access.REMOTE_WRITE), Side.DOMAIN);
        register(0x50004, Access.mask(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC), Side.DOMAIN);
        register(-512, open, Side.DOMAIN);
        register(0x60000, Access.mask(Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND), Side.DOMAIN);
        register(0x70000, open, OTHER_DOMAIN);
        register(0x80000, open, Side.DOMAIN);
        register(0x90000, 0, Side.DOMAIN);
        window(QP, 0);
        window(OTHER_QP, WINDOW_BYTES);
        window(0, 2 * WINDOW_BYTES);
        window(-1, 3 * WINDOW_BYTES);
        revoke(REVOKED);
    }

    private static int offset(int index) {
        return GUARD_BYTES + Arrays.stream(BYTES).limit(index).sum() + GUARD_BYTES * index;
    }

    private void register(long base, int access, int domain) {
        int index = areas.size();
        int offset = offset(index);
        MemorySegment memory = SLAB.asSlice(offset, BYTES[index]);
        Region region = Objects.requireNonNull(stags.enable(memory, base, access, domain));
        areas.add(new Area(region, offset, BYTES[index], base, access, domain));
    }

    // Bound as another stream or this one would have; its octets can be seen through this window alone.
    private void window(int scope, int from) {
        Area inner = areas.get(INNER);
        Region region = Objects.requireNonNull(stags.reserve(Side.DOMAIN));
        Area area = new Area(region, inner.offset + from, WINDOW_BYTES, inner.base + from, REMOTE, Side.DOMAIN);
        area.alive = scope >= 0;
        areas.add(area);
        if (scope < 0) {
            return;
        }
        if (!region.bind(region.nextStag(7), inner.region, area.base, WINDOW_BYTES, REMOTE, scope)) {
            throw new IllegalStateException("a new window is taken");
        }
        area.scope = scope;
        area.stag = region.stag();
    }

    Area area(int index) {
        return areas.get(index);
    }

    /** The area whose STag this is, now or before it was revoked. */
    @Nullable
    Area find(int stag) {
        for (Area area : areas) {
            if (area.stag == stag) {
                return area;
            }
        }
        return null;
    }

    /** Takes all access to an area away. */
    void revoke(int index) {
        Area area = areas.get(index);
        area.region.revoke();
        area.alive = false;
        for (Area window : areas) {
            if (index == INNER && window.region.isWindow()) {
                window.alive = false;
            }
        }
    }

    /** The window is bound, as its completion says. */
    void bound(Area window, int stag, long address, int length, int access, int scope) {
        window.stag = stag;
        window.base = address;
        window.from = (int) (address - areas.get(INNER).base) + areas.get(INNER).offset;
        window.length = length;
        window.access = access;
        window.scope = scope;
        window.alive = length > 0 && areas.get(INNER).alive;
    }

    /** Whether the peer may do {@code right} to all of it. */
    boolean permits(int stag, long to, long octets, Access right) {
        Area area = find(stag);
        return area != null && area.permits(to, octets, right);
    }

    /** Octets as they are now. */
    byte[] read(int stag, long to, int octets) {
        Area area = Objects.requireNonNull(find(stag));
        return SLAB.asSlice(area.from + (to - area.base), octets).toArray(ValueLayout.JAVA_BYTE);
    }

    /** During this step the peer may change this much, as far as it has the right. */
    void allowInStep(int stag, long to, long octets, Access right) {
        if (permits(stag, to, octets, right)) {
            mark(unitAllowed, Objects.requireNonNull(find(stag)), to, octets);
        }
    }

    /** From now on this may change, as far as it is writable memory of this side. */
    void allow(int stag, long to, long octets, Access right) {
        Area area = find(stag);
        if (area != null && right.in(area.access)) {
            mark(allowed, area, to, octets);
        }
    }

    /** From now on messages of the peer may change this much, as far as it is writable memory of this side. */
    void allowReceive(int stag, long to, long octets) {
        Area area = find(stag);
        if (area != null && Access.LOCAL_WRITE.in(area.access)) {
            mark(receiving, area, to, octets);
        }
    }

    /** A message for a receive, or a part of one, arrives in this step. */
    void messageInStep() {
        messageInStep = true;
    }

    private static void mark(boolean[] map, Area area, long to, long octets) {
        long into = to - area.base;
        long from = Math.clamp(into, 0, area.length);
        long end = Math.clamp(into + octets, 0, area.length);
        for (long i = from; i < end; i++) {
            map[area.from + (int) i] = true;
        }
    }

    /** Fails if an octet changed that nobody had the right to change in this step. */
    void check(String step) {
        if (SLAB.mismatch(MemorySegment.ofArray(shadow)) < 0) {
            endStep();
            return;
        }
        byte[] now = SLAB.toArray(ValueLayout.JAVA_BYTE);
        int at = Arrays.mismatch(now, shadow);
        while (at >= 0 && at < now.length) {
            if (!wasAllowed(at)) {
                throw new AssertionError("%s changed octet %d of the slab: %s".formatted(step, at, where(at)));
            }
            shadow[at] = now[at];
            int next = Arrays.mismatch(now, at, now.length, shadow, at, now.length);
            at = next < 0 ? -1 : at + next;
        }
        endStep();
    }

    private void endStep() {
        Arrays.fill(unitAllowed, false);
        messageInStep = false;
    }

    private boolean wasAllowed(int at) {
        return writable(at) && (unitAllowed[at] || allowed[at] || (messageInStep && receiving[at]));
    }

    private boolean writable(int at) {
        for (Area area : areas) {
            boolean covers = at >= area.from && at < area.from + area.length;
            if (covers && area.alive && area.domain == Side.DOMAIN && (area.access & ~Access.REMOTE_READ.bit()) != 0) {
                return true;
            }
        }
        // Revoked in the step in which it was still written to.
        return unitAllowed[at];
    }

    private String where(int at) {
        for (int i = 0; i < BYTES.length; i++) {
            Area area = areas.get(i);
            if (at >= area.offset && at < area.offset + BYTES[i]) {
                return "area %d at %d, STag 0x%08x".formatted(i, at - area.offset, area.stag);
            }
        }
        return "a guard";
    }

    /** What everybody may see, to be compared between runs with different secrets. */
    byte[] visible() {
        Area first = areas.getFirst();
        Area last = areas.get(TOP);
        byte[] all = SLAB.asSlice(first.offset, last.offset + BYTES[TOP] - first.offset)
                .toArray(ValueLayout.JAVA_BYTE);
        for (int i = OPEN; i < TOP; i++) {
            int guard = areas.get(i).offset + BYTES[i] - first.offset;
            Arrays.fill(all, guard, guard + GUARD_BYTES, (byte) 0);
        }
        return all;
    }

    /** All octets, to see later whether one changed. */
    static byte[] snapshot() {
        return SLAB.toArray(ValueLayout.JAVA_BYTE);
    }

    /** Whether all octets are as they were. */
    static boolean isAsAt(byte[] snapshot) {
        return SLAB.mismatch(MemorySegment.ofArray(snapshot)) < 0;
    }
}
