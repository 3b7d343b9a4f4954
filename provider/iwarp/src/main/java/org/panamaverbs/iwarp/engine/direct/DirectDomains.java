package org.panamaverbs.iwarp.engine.direct;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.support.LaterLog;

/** The domains of a context whose memory peers may reach, by their numbers; none if that is not wanted. Any thread. */
public final class DirectDomains {
    private final boolean wanted;
    private final Map<Integer, DirectDomain> all = new ConcurrentHashMap<>();

    /** Creates none so far; {@code wanted} tells whether there are to be any. */
    public DirectDomains(boolean wanted) {
        this.wanted = wanted;
    }

    /** Begins what belongs to the domain {@code number}, if it is wanted and can be had. */
    public void open(int number) {
        if (!wanted) {
            return;
        }
        try {
            DirectDomain made = DirectDomain.create();
            boolean kept = false;
            try {
                all.put(number, made);
                kept = true;
            } finally {
                if (!kept) {
                    made.close();
                }
            }
        } catch (IOException e) {
            LaterLog.log(DirectDomains.class, System.Logger.Level.WARNING, "peers reach no memory of a domain", e);
        }
    }

    /** Returns what belongs to the domain {@code number}, null if nothing does. */
    public @Nullable DirectDomain find(int number) {
        return all.get(number);
    }

    /** Ends what belongs to the domain {@code number}, which nothing uses any more; without effect if it has ended. */
    public void close(int number) {
        DirectDomain ended = all.remove(number);
        if (ended != null) {
            ended.close();
        }
    }
}
