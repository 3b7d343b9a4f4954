package org.panamaverbs.iwarp.engine.progress;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.iwarp.core.stream.LoneRequests;

/**
 * Requests of one stream that are carried out by the thread that posts them and never are in the send queue. Each
 * method answers false if the request is to be posted; all are called with the lock of the stream. What goes wrong in
 * them ends the stream as the doorbell of that post does.
 */
public final class LonePosts {
    private final StreamDriver driver;
    private final LoneRequests requests;

    LonePosts(StreamDriver driver, LoneRequests requests) {
        this.driver = driver;
        this.requests = requests;
    }

    /** Carries out a Write or Read with one piece. */
    public boolean transfer(
            SendOpcode operation,
            long wrId,
            long address,
            long length,
            int lkey,
            long remoteAddress,
            int rkey,
            int flags) {
        boolean done;
        try {
            done = !driver.isBroken()
                    && requests.transfer(operation, wrId, address, length, lkey, remoteAddress, rkey, flags);
        } catch (Throwable e) {
            driver.breaks(e);
            return false;
        }
        return done && completed();
    }

    /** Carries out a Write of a copy of {@code data}. */
    public boolean writeInline(
            SendOpcode operation,
            long wrId,
            MemorySegment data,
            long offset,
            long length,
            long remoteAddress,
            int rkey,
            int flags) {
        boolean done;
        try {
            done = !driver.isBroken()
                    && requests.writeInline(operation, wrId, data, offset, length, remoteAddress, rkey, flags);
        } catch (Throwable e) {
            driver.breaks(e);
            return false;
        }
        return done && completed();
    }

    /** Carries out an Atomic. */
    public boolean atomic(
            SendOpcode operation,
            long wrId,
            long address,
            int lkey,
            long remoteAddress,
            int rkey,
            long compareOrAdd,
            long swap,
            long compareOrFieldMask,
            long swapMask,
            int flags) {
        boolean done;
        try {
            done = !driver.isBroken()
                    && requests.atomic(
                            operation,
                            wrId,
                            address,
                            lkey,
                            remoteAddress,
                            rkey,
                            compareOrAdd,
                            swap,
                            compareOrFieldMask,
                            swapMask,
                            flags);
        } catch (Throwable e) {
            driver.breaks(e);
            return false;
        }
        return done && completed();
    }

    private boolean completed() {
        if (requests.isOverrun()) {
            long now = System.nanoTime();
            try {
                driver.settle(now);
            } catch (Throwable e) {
                driver.broke(e, now);
            }
        }
        return true;
    }
}
