package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.testkit.Requirement;

/**
 * Contexts of one process are as strangers to each other: the context is what RFC 5042 calls the resource manager of
 * its application, and nothing leads from one to another.
 */
@Timeout(60)
class ContextIsolationTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    // RFC 5040 §8.1.2; RFC 5042 §3.
    @Test
    @Requirement({"RDMAP-8.1.2-1-01", "RDMAP-8.1.2-3-01", "DDP-8.3.2-01", "SEC-3-01", "SEC-3-02"})
    void keysOfOneContextMeanNothingInAnother() throws Exception {
        try (Peer client = new Peer();
                Peer server = new Peer();
                Peer bystander = new Peer();
                Listener listener = server.verbs.listen(ANY_PORT)) {
            Peer.connect(
                    client,
                    client.config(),
                    server,
                    server.config(),
                    listener,
                    ConnectionConfig.defaults(),
                    queuePair -> {});
            client.buffer.segment().fill((byte) 7);
            client.queuePair()
                    .post(
                            SendOpcode.RDMA_READ,
                            1,
                            client.buffer.taggedOffset(),
                            8,
                            client.buffer.lkey(),
                            bystander.buffer.taggedOffset(),
                            bystander.buffer.rkey(),
                            0,
                            SendFlag.SIGNALED);
            WorkCompletion read = client.next();
            assertThat(read.status()).isEqualTo(WcStatus.REMOTE_ACCESS_ERROR);
            assertThat(client.connection().terminateCause().orElseThrow().toString())
                    .startsWith("0/1/00");
            assertThat(client.buffer.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);
        }
    }

    // RFC 5040 §8.1.2: scarce resources are the manager's, and no application takes those of another.
    @Test
    @Requirement({"RDMAP-8.1.2-2-01", "RDMAP-8.1.2-6-01", "DDP-8.3.2-01", "SEC-6.4.1-01"})
    void whatOneContextUsesUpAnotherStillHas() {
        try (Peer greedy = new Peer();
                Peer other = new Peer()) {
            List<ProtectionDomain> taken = new ArrayList<>();
            int most = greedy.verbs.capabilities().maxPd();
            for (int i = 1; i < most; i++) {
                taken.add(greedy.verbs.protectionDomain());
            }
            assertThatThrownBy(greedy.verbs::protectionDomain)
                    .isInstanceOf(ResourceException.class)
                    .hasMessageContaining(most + " protection domains");
            other.verbs.protectionDomain().close();
            taken.removeLast().close();
            greedy.verbs.protectionDomain().close();
            taken.forEach(ProtectionDomain::close);
        }
    }
}
