package org.panamaverbs.iwarp.engine;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.engine.device.Context;
import org.panamaverbs.iwarp.engine.device.Device;
import org.panamaverbs.iwarp.shm.DirectDomain;

/** The registrations and windows of one protection domain in the context's table of STags. Any thread. */
final class Regions {
    private static final int SPINS_BEFORE_PARKING = 1000;
    private static final long PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    // Far longer than any: a page of a slow disk may have to be read for it.
    private static final long LONGEST_ACCESS_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Context context;
    private final int domain;
    private final long patienceNanos;
    // What peers reach by themselves; null if that is nothing.
    private final @Nullable DirectDomain direct;

    /** Creates the table of the domain with number {@code domain}. */
    Regions(Context context, int domain) {
        this(context, domain, LONGEST_ACCESS_NANOS);
    }

    /** Creates the table of a domain, which waits at most {@code patienceNanos} for an access to end. */
    Regions(Context context, int domain, long patienceNanos) {
        this.context = context;
        this.domain = domain;
        this.patienceNanos = patienceNanos;
        direct = context.direct().open(domain);
    }

    /** Ends what peers could reach, of which nothing is left. */
    void close() {
        context.direct().close(direct);
    }

    /** Tells whether peers may reach another slab by themselves. */
    boolean hasRoomForPeers() {
        return direct != null && direct.hasRoom();
    }

    /**
     * Lets peers at {@code segment}, whose first byte has the tagged offset {@code base}.
     *
     * @throws ResourceException if the device has no STag left
     */
    Region enable(MemorySegment segment, long base, int rights) {
        Region region = required("reg_mr", context.stags().enable(segment, base, rights, domain));
        boolean enabled = false;
        try {
            if (direct != null) {
                direct.enable(region, segment, rights);
            }
            enabled = true;
            return region;
        } finally {
            if (!enabled) {
                disable(region);
            }
        }
    }

    /**
     * Returns the region of a window, which nothing is bound to.
     *
     * @throws ResourceException if the device has no STag left
     */
    Region reserve() {
        Region region = required("alloc_mw", context.stags().reserve(domain));
        boolean reserved = false;
        try {
            if (direct != null) {
                direct.reserve(region);
            }
            reserved = true;
            return region;
        } finally {
            if (!reserved) {
                disable(region);
            }
        }
    }

    private static Region required(String operation, @Nullable Region region) {
        if (region == null) {
            throw new ResourceException(
                    operation,
                    "device " + Device.NAME + " has " + Device.MAX_REGIONS
                            + " registrations and windows; remedy: close some, or use several buffers of one"
                            + " registration",
                    0);
        }
        return region;
    }

    /**
     * Takes the access away; when it returns, no byte of a peer gets there any more. Waits for accesses under way,
     * which last for one copy, one system call or a run of small messages; of a peer that reaches the memory by itself,
     * as long as it lives.
     *
     * @throws IllegalStateException if one has not ended after ten seconds; the access is taken away nevertheless, and
     *     it can be called again
     */
    public void disable(Region region) {
        disable(region, patienceNanos);
    }

    /** Does so, and waits at most {@code patienceNanos}. */
    public void disable(Region region, long patienceNanos) {
        long began = System.nanoTime();
        if (direct != null) {
            direct.retire(region);
        }
        region.revoke();
        int spins = 0;
        while (!region.quiescent()) {
            // A bind that was under way has let peers into the window again.
            region.revoke();
            if (++spins < SPINS_BEFORE_PARKING) {
                Thread.onSpinWait();
            } else if (System.nanoTime() - began < patienceNanos) {
                LockSupport.parkNanos(PARK_NANOS);
            } else {
                throw new IllegalStateException(String.format(
                        "memory under STag 0x%08x is still accessed %d ms after access to it was revoked, so it is"
                                + " not freed; remedy: close the queue pairs that use it, then close it again",
                        region.stag(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)));
            }
        }
        if (direct != null) {
            direct.forget(region);
        }
        context.stags().remove(region);
    }

    /** Returns a random number for a window's next key. */
    int randomKey() {
        return context.random().getAsInt();
    }
}
