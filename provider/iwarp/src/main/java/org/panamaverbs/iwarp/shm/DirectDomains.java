package org.panamaverbs.iwarp.shm;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.spi.support.DeferredLog;

/** The domains of a context whose memory peers may reach, by their numbers; none if that is not wanted. Any thread. */
public final class DirectDomains {
    private final boolean wanted;
    private final Map<Integer, DirectDomain> all = new ConcurrentHashMap<>();

    /** Creates none so far; {@code wanted} tells whether there are to be any. */
    public DirectDomains(boolean wanted) {
        this.wanted = wanted;
    }

    /** Begins what belongs to the domain {@code number}; null if it is not wanted, or cannot be had. */
    public @Nullable DirectDomain open(int number) {
        if (!wanted) {
            return null;
        }
        try {
            DirectDomain made = DirectDomain.create(number);
            boolean kept = false;
            try {
                all.put(made.number(), made);
                kept = true;
                return made;
            } finally {
                if (!kept) {
                    made.close();
                }
            }
        } catch (IOException e) {
            DeferredLog.log(
                    DirectDomains.class,
                    System.Logger.Level.WARNING,
                    "peers on this host cannot access the memory of a protection domain directly",
                    e);
            return null;
        }
    }

    /** Returns what belongs to the domain {@code number}, null if nothing does. */
    public @Nullable DirectDomain find(int number) {
        return all.get(number);
    }

    /** Ends {@code domain}, which nothing uses any more; null for none. Needs no memory. */
    public void close(@Nullable DirectDomain domain) {
        if (domain != null) {
            all.remove(domain.number());
            domain.close();
        }
    }
}
