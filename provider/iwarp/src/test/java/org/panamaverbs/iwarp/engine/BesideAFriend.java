package org.panamaverbs.iwarp.engine;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;

/** Tests of peers that share memory in bad faith: beside them is a friend, who must not notice. */
@Timeout(120)
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
abstract class BesideAFriend {
    static final int RING_BYTES = OfferingPeer.RING_BYTES;

    final Peer server = new Peer("shm=auto", "handshake.timeout=1s");
    final Peer friend = new Peer("shm=require");
    final Listener listener = server.verbs.listen(Raw.ANY_PORT);

    @BeforeEach
    void connectFriend() throws Exception {
        Peer.connect(friend, server, listener);
    }

    /** The friend's stream and the listener are as before. */
    @AfterEach
    void nobodyElseHasNoticed() {
        friend.queuePair().write(1, friend.buffer, 0, 4096, Peer.remote(server), 0, SIGNALED);
        friend.nextOk();
        friend.close();
        listener.close();
        server.close();
    }

    ConnectionRequest request(Deadline deadline) {
        return listener.poll(deadline).orElseThrow();
    }
}
