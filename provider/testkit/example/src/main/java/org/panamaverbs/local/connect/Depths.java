package org.panamaverbs.local.connect;

import org.panamaverbs.api.ConnectionConfig;

/**
 * How many Reads and Atomics may be outstanding: what one side wants, cut to what the other grants.
 *
 * @param initiator from here
 * @param responder from the peer
 * @param peerInitiator as the peer said
 * @param peerResponder as the peer said
 */
record Depths(int initiator, int responder, int peerInitiator, int peerResponder) {
    static Depths of(ConnectionConfig here, ConnectionConfig peer) {
        return new Depths(
                Math.min(here.initiatorDepth(), peer.responderResources()),
                here.responderResources(),
                peer.initiatorDepth(),
                peer.responderResources());
    }
}
