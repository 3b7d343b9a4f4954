package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;

/** A driver that does not tell the state of a queue pair. */
class UnknownStateOverStubTest extends OverStub {
    @Override
    protected StubVerbs opened() {
        return new StubVerbs(Transport.INFINIBAND);
    }

    @Test
    void stateIsTheLastThatIsKnown() {
        IbvQueuePair queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(16)));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        Stub.fail("state of a queue pair", -1, 2);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.RTS);
        assertThat(queuePair.query().state()).contains(QueuePairState.RTS);
    }
}
