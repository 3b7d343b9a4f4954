package org.panamaverbs.ibverbs.cm;

/**
 * The depths that both sides agreed on, and what the peer said before.
 *
 * @param responderResources Reads and Atomics the peer may have outstanding here (IRD)
 * @param initiatorDepth Reads and Atomics outstanding from here (ORD)
 * @param peerInitiatorDepth Reads and Atomics that the peer wants to have outstanding here, -1 if that is not told
 * @param peerResponderResources Reads and Atomics that the peer takes from here, -1 if that is not told
 */
public record Negotiated(
        int responderResources, int initiatorDepth, int peerInitiatorDepth, int peerResponderResources) {
    private static final int UNTOLD = -1;

    /** Creates depths of a peer whose own are not told. */
    public Negotiated(int responderResources, int initiatorDepth) {
        this(responderResources, initiatorDepth, UNTOLD, UNTOLD);
    }
}
