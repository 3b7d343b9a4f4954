package org.panamaverbs.local;

/** What connects two queue pairs, until one of them fails or is disconnected. Guarded by the lock of {@link Fabric}. */
final class Wire {
    private final LocalQueuePair one;
    private final LocalQueuePair another;
    private boolean isUp = true;

    Wire(LocalQueuePair one, LocalQueuePair another) {
        this.one = one;
        this.another = another;
    }

    LocalQueuePair other(LocalQueuePair end) {
        return end == one ? another : one;
    }

    boolean isUp() {
        return isUp;
    }

    /** Ends it, for both. */
    void down() {
        if (isUp) {
            isUp = false;
            one.fail();
            another.fail();
            Fabric.LOCK.notifyAll();
        }
    }
}
