package org.panamaverbs.ibverbs.datagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;

/** Queue pairs are made ready for datagrams from wherever an earlier attempt left them. */
class DatagramStepsOverStubTest extends OverStub {
    private static final int RDMA_UDP_QKEY = 0x01234567; // rdma/rdma_cma.h

    private IbvQueuePair queuePair;
    private CmId id;

    @BeforeEach
    void open() {
        queuePair = verbs.queuePair(
                QueuePairConfig.of(verbs.domain(), verbs.queue(1024)).withType(QueuePairType.UD));
        id = verbs.cm().channel().createForDatagrams("a test");
    }

    @AfterEach
    void close() {
        Stub.forget();
        id.destroy();
        assertThat(id.awaitDestroyed(10)).isTrue();
    }

    @Test
    void goesOnWithAQueuePairThatCameToReadyToReceiveOnly() {
        Stub.failAfter(2, "ibv_modify_qp", Errno.ENOMEM);
        assertThatThrownBy(this::ready).isInstanceOf(ResourceException.class);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.RTR);

        assertThat(ready()).isEqualTo(RDMA_UDP_QKEY);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.RTS);
        assertThat(ready()).isEqualTo(RDMA_UDP_QKEY);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void saysHowAFailedQueuePairCanBeUsedAgain() {
        queuePair.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        assertThatThrownBy(this::ready)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ERROR")
                .hasMessageContaining("QueuePair.modify")
                .hasMessageContaining("RESET");
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    private int ready() {
        InetSocketAddress peer = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7174);
        return DatagramSteps.ready(queuePair, id, verbs.cm().failures("connectDatagrams", peer));
    }
}
