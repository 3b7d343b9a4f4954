package org.panamaverbs.local.work;

/** A receive work request: a place of a {@link ReceiveRing}. */
public final class ReceiveRequest {
    public final Pieces into;
    public long wrId;

    ReceiveRequest(int maxSge) {
        into = new Pieces(maxSge, 0);
    }
}
