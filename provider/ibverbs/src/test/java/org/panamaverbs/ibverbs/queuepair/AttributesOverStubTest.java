package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.api.ext.AlternatePath;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.Waits;

/** Attributes of queue pairs reach the library as they are, and come back. */
class AttributesOverStubTest extends OverStub {
    private static final AddressHandleConfig PATH = AddressHandleConfig.to(Gid.of(InetAddress.ofLiteral("10.0.3.2")))
            .withLid(0xBEEF)
            .withGidIndex(200)
            .withPort(1)
            .withServiceLevel(15)
            .withFlowLabel(0xFEDCB)
            .withHopLimit(255)
            .withTrafficClass(254)
            .withStaticRate(3);

    private IbvQueuePair queuePair;

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(Transport.ROCE);
    }

    @BeforeEach
    void open() {
        queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(16)));
    }

    @Test
    void initGrantsThePeerWhatTheConfigurationDoes() {
        QueuePairConfig config = QueuePairConfig.of(verbs.domain(), verbs.queue(16));
        int local = Access.mask(Access.LOCAL_WRITE);
        assertThat(queuePair.query().access()).hasValue(local);
        assertThat(verbs.queuePair(config.withAccess(Access.REMOTE_READ))
                        .query()
                        .access())
                .hasValue(local | Access.REMOTE_READ.bit());
        assertThat(verbs.queuePair(config.withAllRemoteAccess()).query().access())
                .hasValue(verbs.context().capabilities().peerRights());
    }

    @ParameterizedTest
    @CsvSource({
        "ACCESS, 15",
        "PKEY_INDEX, 65535",
        "PORT, 255",
        "QKEY, 4294967295",
        "PATH_MTU, 4096",
        "TIMEOUT, 31",
        "RETRY_COUNT, 7",
        "RNR_RETRY, 6",
        "MIN_RNR_TIMER, 31",
        "RQ_PSN, 16777215",
        "SQ_PSN, 8388608",
        "MAX_RD_ATOMIC, 255",
        "MAX_DEST_RD_ATOMIC, 128",
        "DEST_QPN, 16777215",
        "PATH_MIG_STATE, 2",
        "EN_SQD_ASYNC_NOTIFY, 1"
    })
    void whatIsSetIsFound(Field field, long value) {
        queuePair.modify(new QueuePairAttributes().set(field, value));
        assertThat(queuePair.query().get(field)).hasValue(value);
    }

    @Test
    void sendsThatAreLeftInSqdAreTold() {
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        Stub.hold(queuePair.number(), true);
        PostStatus.check(queuePair.post(WorkRequest.of(SendOpcode.SEND).wrId(1).flags(SendFlag.SIGNALED)));
        assertThat(queuePair.query().isDraining()).isFalse();
        queuePair.modify(QueuePairAttributes.to(QueuePairState.SQD));
        assertThat(queuePair.query().isDraining()).isTrue();
        Stub.hold(queuePair.number(), false);
        assertThat(queuePair.query().isDraining()).isFalse();
    }

    @Test
    void drainedQueueRaisesTheEventThatIsAskedFor() {
        for (long asked = 0; asked <= 1; asked++) {
            queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
            queuePair.modify(QueuePairAttributes.to(QueuePairState.SQD).set(Field.EN_SQD_ASYNC_NOTIFY, asked));
            Deadline deadline = asked == 1 ? Waits.deadline() : Deadline.now();
            Optional<AsyncEvent> event = verbs.context().asyncEvent(deadline);
            assertThat(event.map(AsyncEvent::type))
                    .isEqualTo(asked == 1 ? Optional.of(AsyncEvent.Type.SQ_DRAINED) : Optional.empty());
        }
    }

    /** The stub's driver has not noticed that a datagram failed. */
    @Test
    void stateThatTheDriverHasNotNoticedIsSaid() {
        queuePair.modify(QueuePairAttributes.to(QueuePairState.SQE));
        QueuePairAttributes back = QueuePairAttributes.to(QueuePairState.RTS).currentState(QueuePairState.SQE);
        queuePair.modify(back);
        assertThat(Stub.currentState(queuePair.number())).isEqualTo(5); // IBV_QPS_SQE
        assertThat(back.currentState()).hasValue(QueuePairState.SQE);
        assertThat(queuePair.query().currentState()).isEmpty();
    }

    @Test
    void keyWithItsHighestBitIsOneAsAnInt() {
        queuePair.modify(new QueuePairAttributes().set(Field.QKEY, 0x8001_0000));
        assertThat(queuePair.query().get(Field.QKEY)).hasValue(0x8001_0000L);
    }

    @Test
    void pathThatIsSetIsFound() {
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTR).address(PATH));
        AddressHandleConfig found = queuePair.query().address().orElseThrow();
        assertThat(found).usingRecursiveComparison().isEqualTo(PATH);
    }

    @Test
    void alternatePathThatIsSetIsFound() {
        AlternatePath path = new AlternatePath(PATH.withPort(2), 0xABCD, 31);
        assertThat(queuePair.query().alternatePath()).isEmpty();
        queuePair.modify(new QueuePairAttributes().alternatePath(path));
        AlternatePath found = queuePair.query().alternatePath().orElseThrow();
        assertThat(found).usingRecursiveComparison().isEqualTo(path);
        assertThatThrownBy(() -> new AlternatePath(PATH, 0x10000, 0)).hasMessageContaining("pkeyIndex must be");
        assertThatThrownBy(() -> new AlternatePath(PATH, 0, 32)).hasMessageContaining("timeout must be");
    }

    @Test
    void alternatePathThatCannotActIsRefused() {
        reopen(Transport.IWARP);
        open();
        for (QueuePairAttributes each : new QueuePairAttributes[] {
            new QueuePairAttributes().alternatePath(new AlternatePath(PATH, 0, 0)),
            new QueuePairAttributes().set(Field.PATH_MIG_STATE, 1)
        }) {
            assertThatThrownBy(() -> queuePair.modify(each))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("lacks PATH_MIGRATION");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PKEY_INDEX, 65536, 0 to 65535",
        "PORT, 257, 0 to 255",
        "QKEY, 4294967296, 0 to 4294967295",
        "PATH_MTU, 4098, 0 to 4096",
        "TIMEOUT, 270, 0 to 31",
        "RETRY_COUNT, 8, 0 to 7",
        "RNR_RETRY, 263, 0 to 7",
        "MIN_RNR_TIMER, 32, 0 to 31",
        "RQ_PSN, 16777216, 0 to 16777215",
        "SQ_PSN, -1, 0 to 16777215",
        "MAX_RD_ATOMIC, 256, 0 to 255",
        "MAX_DEST_RD_ATOMIC, 272, 0 to 255",
        "DEST_QPN, 16777217, 0 to 16777215",
        "PATH_MIG_STATE, 3, 0 to 2",
        "EN_SQD_ASYNC_NOTIFY, 2, 0 to 1"
    })
    void whatTheFieldCannotHoldIsRefusedNotCut(Field field, long value, String range) {
        assertThatThrownBy(() -> queuePair.modify(new QueuePairAttributes().set(field, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(field + " must be " + range + ", got " + value);
    }

    @Test
    void pathThatItsFieldsCannotHoldIsRefusedNotCut() {
        for (AddressHandleConfig wrong : new AddressHandleConfig[] {
            PATH.withLid(0x10000),
            PATH.withGidIndex(256),
            PATH.withPort(0),
            PATH.withServiceLevel(16),
            PATH.withFlowLabel(1 << 20),
            PATH.withHopLimit(-1),
            PATH.withTrafficClass(256),
            PATH.withStaticRate(256)
        }) {
            assertThatThrownBy(() -> queuePair.modify(
                            QueuePairAttributes.to(QueuePairState.RTR).address(wrong)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("of an address must be ");
            assertThatThrownBy(() -> verbs.domain().addressHandle(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(queuePair.state()).isEqualTo(QueuePairState.INIT);
    }
}
