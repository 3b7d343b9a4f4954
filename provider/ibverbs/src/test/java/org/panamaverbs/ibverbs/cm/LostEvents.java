package org.panamaverbs.ibverbs.cm;

/** Events for which there was no memory. */
public final class LostEvents {
    private LostEvents() {}

    /** Brings {@code id} what comes in place of one. */
    public static void deliver(CmId id) {
        id.deliver(CmEvent.LOST);
    }
}
