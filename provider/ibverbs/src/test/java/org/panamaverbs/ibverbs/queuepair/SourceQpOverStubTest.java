package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;

/** A datagram's completion says where it came from; others say 0, whatever the driver has written there. */
class SourceQpOverStubTest extends OverStub {
    private static final int SOURCE = 0x777;

    private final WorkCompletions completions = WorkCompletions.ofCapacity(4);
    private IbvCompletionQueue queue;

    @BeforeEach
    void open() {
        queue = verbs.queue(1024);
    }

    @ParameterizedTest
    @EnumSource(
            value = QueuePairType.class,
            mode = Mode.EXCLUDE,
            names = {"XRC_SEND", "XRC_RECV", "DRIVER"})
    void onlyDatagramsHaveASource(QueuePairType type) {
        Stub.receive(verbs.queuePair(config(type)).number(), SOURCE);
        assertThat(polledSource()).isEqualTo(type == QueuePairType.UD ? SOURCE : 0);
    }

    @Test
    void queuePairsOfOneQueueAreToldApart() {
        IbvQueuePair connected = verbs.queuePair(config(QueuePairType.RC));
        IbvQueuePair first = verbs.queuePair(config(QueuePairType.UD));
        IbvQueuePair second = verbs.queuePair(config(QueuePairType.UD));
        Stub.receive(second.number(), 2);
        Stub.receive(connected.number(), SOURCE);
        Stub.receive(first.number(), 1);
        assertThat(queue.poll(completions)).isEqualTo(3);
        assertThat(completions.get(0).sourceQpNumber()).isEqualTo(2);
        assertThat(completions.get(1).sourceQpNumber()).isZero();
        assertThat(completions.get(2).sourceQpNumber()).isEqualTo(1);
    }

    @Test
    void completionsThatAreKeptSayTheSame() {
        Stub.receive(verbs.queuePair(config(QueuePairType.UD)).number(), SOURCE);
        Stub.receive(verbs.queuePair(config(QueuePairType.RC)).number(), SOURCE);
        queue.keepAll();
        assertThat(polledSource()).isEqualTo(SOURCE);
        assertThat(polledSource()).isZero();
    }

    @Test
    void whoGetsTheNumberOfAClosedQueuePairHasNoneOfItsDatagrams() {
        IbvQueuePair datagrams = verbs.domain().create(config(QueuePairType.UD));
        int number = datagrams.number();
        Stub.receive(number, SOURCE);
        datagrams.close();
        Stub.nextQpNumber(number);
        IbvQueuePair connected = verbs.queuePair(config(QueuePairType.RC));
        assertThat(connected.number()).isEqualTo(number);
        Stub.receive(number, SOURCE);
        assertThat(polledSource()).as("a datagram that came before").isEqualTo(SOURCE);
        assertThat(polledSource()).as("a message over the connection").isZero();
    }

    private int polledSource() {
        WorkCompletions one = WorkCompletions.ofCapacity(1);
        assertThat(queue.poll(one)).isEqualTo(1);
        return one.get(0).sourceQpNumber();
    }

    private QueuePairConfig config(QueuePairType type) {
        return QueuePairConfig.of(verbs.domain(), queue).withType(type);
    }
}
