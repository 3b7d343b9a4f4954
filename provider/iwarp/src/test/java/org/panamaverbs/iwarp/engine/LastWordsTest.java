package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;

/** What a peer sent before it went, and the system has, where this side finds out by sending. */
@Timeout(60)
class LastWordsTest {
    @Test
    void whatHadComeIsReceivedThoughASendFindsThatThePeerIsGone() throws Exception {
        try (Peer client = new Peer("shm=off", "progress=spin");
                Peer server = new Peer("shm=off")) {
            Peer.connect(client, server);
            PostStatus.check(client.queuePair().recv(1, client.buffer, 0, 64));
            PostStatus.check(server.queuePair().send(2, server.buffer, 0, 64, SendFlag.SIGNALED));
            server.nextOk();
            server.connection().close();

            PostStatus.check(client.queuePair().send(3, client.buffer, 64, 64, SendFlag.SIGNALED));

            assertThat(client.nextOk().opcode()).isEqualTo(WcOpcode.RECV);
            assertThat(client.next().status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
        }
    }
}
