package org.panamaverbs.local.objects;

import org.panamaverbs.local.context.Fabric;

/** What connects two queue pairs, until one of them fails or is disconnected. Guarded by the lock of {@link Fabric}. */
public final class Wire {
    private final LocalQueuePair one;
    private final LocalQueuePair another;
    private boolean isUp = true;

    public Wire(LocalQueuePair one, LocalQueuePair another) {
        this.one = one;
        this.another = another;
    }

    LocalQueuePair other(LocalQueuePair end) {
        return end == one ? another : one;
    }

    public boolean isUp() {
        return isUp;
    }

    /** Ends the connection, for both queue pairs. */
    public void down() {
        if (isUp) {
            isUp = false;
            one.fail();
            another.fail();
            Fabric.LOCK.notifyAll();
        }
    }
}
