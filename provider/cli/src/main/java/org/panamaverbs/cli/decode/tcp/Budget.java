package org.panamaverbs.cli.decode.tcp;

/** How many octets of captured connections may be held in memory at once, all of them together. */
public final class Budget {
    private final long limitBytes;
    private long heldBytes;

    /** Allows so much. */
    public Budget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Takes {@code bytes} if they are left, and says whether it did. */
    public boolean take(long bytes) {
        if (bytes > limitBytes - heldBytes) {
            return false;
        }
        heldBytes += bytes;
        return true;
    }

    /** Gives back what was taken. */
    public void give(long bytes) {
        heldBytes -= bytes;
    }

    /** True when so much is held that nobody should keep memory for later. */
    public boolean isScarce() {
        return heldBytes > limitBytes / 2;
    }

    /** Octets that are held now. */
    public long heldBytes() {
        return heldBytes;
    }
}
