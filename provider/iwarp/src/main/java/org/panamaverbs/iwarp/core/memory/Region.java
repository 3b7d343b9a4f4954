package org.panamaverbs.iwarp.core.memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.access.PlainMemory;

/**
 * Memory under an STag: a registration, or a memory window on one. Its fields count only while it is pinned.
 *
 * <p>Pins make revocation complete: after {@link #revoke()} nobody gets in any more, and once it is
 * {@link #quiescent()} nobody is inside; from then on no octet of the peer reaches the memory (RFC 5040 §8.1.1). Pins
 * last for one copy, one system call, or a bounded run of small messages.
 */
public final class Region {
    private static final int RECENT_KEYS = 64;
    private static final byte[] NO_KEYS = {};
    private static final int REVOKED = 1 << 31;
    private static final int COUNT = REVOKED - 1;
    // So many streams enter a registration without a pin; the others pin it.
    private static final int MOST_ANNOUNCED = 8;
    private static final VarHandle PINS;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Announcement[].class);

    static {
        try {
            PINS = MethodHandles.lookup().findVarHandle(Region.class, "pins", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int domainId;
    private final boolean window;
    private int stag;
    // Of a registration: the memory, and what may become of it; a window has that of its parent.
    MemorySegment segment;
    final boolean mayVanish;
    final boolean mayClose;
    private long base;
    private long length;
    private int access;
    private int qpNumber;
    private @Nullable Region parent;
    // The window's place in its parent, for zero-copy views of the parent's memory.
    private long segmentOffset;
    private final byte[] recentKeys;
    private int nextRecent;
    private volatile int pins;
    // Of streams that need no pin, null where there is a place; a window has none.
    private final @Nullable Announcement[] announced;
    // How peers of this host reach it by themselves; null if they do not. Set before peers hear of the STag.
    private volatile @Nullable Exposure exposure;
    // What streams have made to see the memory through; guarded by this. Gone with the region, or with the stream.
    private final Map<Object, List<Object>> views = new WeakHashMap<>(1);

    Region(int stag, MemorySegment segment, long base, int access, int domainId) {
        this.stag = stag;
        this.base = base;
        this.length = segment.byteSize();
        this.access = access;
        this.domainId = domainId;
        this.window = false;
        recentKeys = NO_KEYS;
        announced = new Announcement[MOST_ANNOUNCED];
        mayVanish = MemorySlab.mayVanish(segment);
        mayClose = MemorySlab.mayClose(segment);
        // That of a sealed file is like any other, and accessed faster as such.
        this.segment = segment.isMapped() && !mayVanish ? PlainMemory.of(segment) : segment;
    }

    Region(int stag, int domainId) {
        this.stag = stag;
        this.segment = MemorySegment.NULL;
        this.domainId = domainId;
        this.window = true;
        recentKeys = new byte[RECENT_KEYS];
        announced = new Announcement[0];
        this.pins = REVOKED;
        mayVanish = false;
        mayClose = false;
    }

    /** Has peers reach it by {@code how} too: once, before anybody hears of the STag. */
    public void expose(Exposure how) {
        exposure = how;
    }

    /** Returns how peers reach it by themselves, null if they do not. */
    public @Nullable Exposure exposure() {
        return exposure;
    }

    /** Returns the STag; a window's changes with each bind. */
    public int stag() {
        return stag;
    }

    /** Tells whether the region is a memory window. */
    public boolean isWindow() {
        return window;
    }

    /** Pins the region if it is enabled under {@code expectedStag}; pair with {@link #unpin()}. */
    public boolean pin(int expectedStag) {
        if (!hold()) {
            return false;
        }
        Region up = parent;
        if (stag != expectedStag || (up != null && !up.pin(up.stag))) {
            leave();
            return false;
        }
        return true;
    }

    /** Pins the region so, unless the owner of the memory has closed it. */
    public boolean pinAlive(int expectedStag) {
        if (!pin(expectedStag)) {
            return false;
        }
        if (isAlive()) {
            return true;
        }
        unpin();
        return false;
    }

    /** Lets the region go that {@link #pin} has pinned. */
    public void unpin() {
        Region up = parent;
        leave();
        if (up != null) {
            up.leave();
        }
    }

    /** Keeps the region bound as it is no longer. */
    void leave() {
        PINS.getAndAdd(this, -1);
    }

    /** Takes all access away; false if it was taken away before. */
    public boolean revoke() {
        int seen;
        do {
            seen = pins;
            if (seen < 0) {
                return false;
            }
        } while (!PINS.compareAndSet(this, seen, seen | REVOKED));
        Exposure shown = exposure;
        if (shown != null) {
            shown.revoke();
        }
        return true;
    }

    /**
     * Takes all access away for a bind by queue pair {@code number}; false if it is bound on another one. For who
     * {@linkplain #hold holds} it.
     */
    boolean yieldTo(int number) {
        boolean theirs = qpNumber == 0 || qpNumber == number;
        if (theirs) {
            revoke();
        }
        return theirs;
    }

    /**
     * Takes all access away if it is bound under {@code expectedStag} on queue pair {@code number} of {@code domain}
     * and no other one; false if it is not. For who {@linkplain #hold holds} it.
     */
    boolean invalidate(int expectedStag, int domain, int number) {
        return stag == expectedStag && qpNumber == number && domainId == domain && revoke();
    }

    /** Keeps the region bound as it is, to look at its fields, until {@link #leave()}; false if it is revoked. */
    boolean hold() {
        int seen;
        do {
            seen = pins;
            if (seen < 0) {
                return false;
            }
        } while (!PINS.compareAndSet(this, seen, seen + 1));
        return true;
    }

    /**
     * Has accesses that {@code by} announces count as pins, for good; false if they do not: of a window, of memory that
     * may go away meanwhile, and where too many others do. For who has pinned it. Needs no memory.
     */
    boolean admit(Announcement by) {
        if (mayVanish || mayClose || by.isOver()) {
            return false;
        }
        for (int i = 0; i < announced.length; i++) {
            Announcement its = (Announcement) PLACE.getVolatile(announced, i);
            if (its == by || ((its == null || its.isOver()) && PLACE.compareAndSet(announced, i, its, by))) {
                return true;
            }
        }
        return false;
    }

    private boolean isAnnounced() {
        for (int i = 0; i < announced.length; i++) {
            Announcement its = (Announcement) PLACE.getVolatile(announced, i);
            if (its != null && its.isInside(this)) {
                return true;
            }
        }
        return false;
    }

    /** Tells whether access has not been taken away; for a stream that has pinned the region, or announced itself. */
    boolean isEnabled() {
        return pins >= 0;
    }

    /** Tells whether the region is revoked and nobody is inside. */
    public boolean quiescent() {
        return (pins & REVOKED) != 0 && (pins & COUNT) == 0 && !isAnnounced() && !isLingering();
    }

    /** Tells whether the region is revoked, and a peer that was let in by itself before is still inside. */
    public boolean isLingering() {
        Exposure shown = exposure;
        return shown != null && (pins & REVOKED) != 0 && shown.isEntered();
    }

    /**
     * Returns the STag of a window's next bind: the same index under another key than its last {@value #RECENT_KEYS}
     * (RFC 5042 §6.1.1), near the {@code random} one. For the stream that binds.
     */
    public int nextStag(int random) {
        int key = random & 0xFF;
        while (key == (stag & 0xFF) || isRecent(key)) {
            key = (key + 1) & 0xFF;
        }
        recentKeys[nextRecent++ & RECENT_KEYS - 1] = (byte) key;
        return (stag & ~0xFF) | key;
    }

    private boolean isRecent(int key) {
        int known = Math.min(nextRecent, RECENT_KEYS);
        for (int i = 0; i < known; i++) {
            if ((recentKeys[i] & 0xFF) == key) {
                return true;
            }
        }
        return false;
    }

    /**
     * Binds this window, which is revoked, to a part of {@code memory}, which the caller has pinned; to nothing if that
     * is null. False if somebody is in it or binds it now.
     */
    public boolean bind(int newStag, @Nullable Region memory, long address, long bytes, int rights, int scopeQpNumber) {
        if (!PINS.compareAndSet(this, REVOKED, REVOKED + 1)) {
            return false;
        }
        boolean bound = false;
        try {
            Exposure shown = exposure;
            if (shown != null) {
                shown.revoke();
                if (shown.isEntered()) {
                    return false;
                }
            }
            if (memory == null) {
                return true;
            }
            stag = newStag;
            parent = memory;
            segmentOffset = address - memory.base;
            base = address;
            length = bytes;
            access = rights;
            qpNumber = scopeQpNumber;
            if (shown != null) {
                shown.expose(memory.exposure, newStag, address, bytes, segmentOffset, rights, scopeQpNumber);
            }
            bound = true;
            return true;
        } finally {
            // Publishes the fields.
            pins = bound ? 0 : REVOKED;
        }
    }

    /** Tells whether the region belongs to {@code domain}. */
    public boolean isOf(int domain) {
        return domainId == domain;
    }

    /** Tells whether the region belongs to {@code domain} and, if it is scoped to a queue pair, to {@code number}. */
    boolean associated(int domain, int number) {
        return domainId == domain && (qpNumber == 0 || qpNumber == number);
    }

    public boolean allows(Access right) {
        return right.in(access);
    }

    public long base() {
        return base;
    }

    public long length() {
        return length;
    }

    public MemorySegment segment() {
        return memory().segment;
    }

    /** Returns the registration that the memory belongs to: this, or what the window is bound to. */
    Region memory() {
        Region up = parent;
        return up == null ? this : up;
    }

    /** Tells whether the owner of the memory has not closed it. */
    public boolean isAlive() {
        return !mayClose() || segment().scope().isAlive();
    }

    /** Tells whether the owner of the memory may close it in the middle of an access by address. */
    boolean mayClose() {
        return memory().mayClose;
    }

    /** Keeps {@code view} of the memory, which {@code user} has made, until the region is removed. */
    synchronized void keep(Object user, Object view) {
        views.computeIfAbsent(user, key -> new ArrayList<>(1)).add(view);
    }

    /** Keeps {@code old} of {@code user} no longer. */
    synchronized void letGo(Object user, Object old) {
        List<Object> its = views.get(user);
        if (its != null && its.remove(old) && its.isEmpty()) {
            views.remove(user);
        }
    }

    /** Lets go of the memory: the region is quiescent, and removed. */
    synchronized void forget() {
        segment = MemorySegment.NULL;
        views.clear();
    }

    /** Returns where {@code taggedOffset} lies in {@link #segment()}. */
    long segmentOffset(long taggedOffset) {
        return taggedOffset - base + segmentOffset;
    }
}
