package org.panamaverbs.spi.software;

/** A receive request, valid until the next receive is posted. */
public final class ReceiveRequest {
    final SgEntries into;
    long wrId;

    ReceiveRequest(int maxSge) {
        into = new SgEntries(maxSge, 0);
    }

    /** Returns the memory that a message is placed into. */
    public SgEntries into() {
        return into;
    }
}
