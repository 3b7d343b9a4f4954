package org.panamaverbs.local;

/** A receive work request: a place of a {@link ReceiveRing}. */
final class ReceiveRequest {
    final Pieces into;
    long wrId;

    ReceiveRequest(int maxSge) {
        into = new Pieces(maxSge, 0);
    }
}
