package org.panamaverbs.local.objects;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.spi.software.SendRequest;
import org.panamaverbs.spi.software.SoftwareQueuePair;

/** A queue pair: what is posted to it is carried out by the responder of its peer. */
public final class LocalQueuePair extends SoftwareQueuePair {
    private final Responder responder = new Responder(this);
    /** The other end of the connection, up or down; null before. */
    private @Nullable LocalQueuePair peer;

    LocalQueuePair(LocalDomain domain, QueuePairConfig config) {
        super(domain, config);
    }

    /**
     * Connects this queue pair with {@code other}, which can be connected as this can.
     *
     * @param depth Reads and Atomics that may be outstanding from here
     * @param otherDepth the same of the other
     */
    public void connect(LocalQueuePair other, int depth, int otherDepth) {
        peer = other;
        other.peer = this;
        connected(depth);
        other.connected(otherDepth);
    }

    @Override
    protected WcStatus carryOut(SendRequest request) {
        return peer == null ? WcStatus.WR_FLUSH_ERROR : peer.responder.carryOut(request);
    }

    @Override
    protected void failed() {
        if (peer != null) {
            peer.fail();
        }
    }
}
