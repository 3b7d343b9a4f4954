package org.panamaverbs.ibverbs.cm;

/**
 * The depths that both sides agreed on.
 *
 * @param responderResources Reads and Atomics the peer may have outstanding here (IRD)
 * @param initiatorDepth Reads and Atomics outstanding from here (ORD)
 */
public record Negotiated(int responderResources, int initiatorDepth) {}
