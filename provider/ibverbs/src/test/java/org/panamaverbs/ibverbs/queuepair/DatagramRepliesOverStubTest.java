package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.GrhView;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.testkit.process.Allocation;

/** Datagrams are answered by what came with them, whatever came: the stub says more than a device of Ethernet. */
class DatagramRepliesOverStubTest extends OverStub {
    private static final int PORT = 1;
    private static final int OWN_INDEX = 2;
    private static final int ROCE_V2 = 2; // infiniband/verbs.h: enum ibv_gid_type
    private static final int OWN_ADDRESS = 0x0a000302;
    private static final int SOURCE_QP = 0x777;
    // Of the stub's datagrams.
    private static final int LID = 0x1234;
    private static final int SERVICE_LEVEL = 5;
    private static final int PATH_BITS = 0x83;
    private static final String FROM_10_0_3_1 = "45280068123440003f110f270a0003010a000302";
    private static final int OPERATIONS = 10_000;
    private static final int ROUNDS = 20;

    private final WorkCompletions received = WorkCompletions.ofCapacity(1);
    private final WorkCompletions sent = WorkCompletions.ofCapacity(1);
    private IbvCompletionQueue receives;
    private IbvCompletionQueue sends;
    private IbvQueuePair queuePair;

    @BeforeEach
    void open() {
        receives = verbs.queue(1024);
        sends = verbs.queue(1024);
        queuePair = verbs.queuePair(
                QueuePairConfig.of(verbs.domain(), sends).withRecvCq(receives).withType(QueuePairType.UD));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        Stub.gid(PORT, OWN_INDEX, OWN_ADDRESS, ROCE_V2, 0);
    }

    @AfterEach
    void forgetTheAddress() {
        Stub.gid(PORT, OWN_INDEX, 0, 0, 0);
    }

    private WorkCompletion receive() {
        Stub.receive(queuePair.number(), SOURCE_QP);
        assertThat(receives.poll(received)).isEqualTo(1);
        return received.get(0);
    }

    private static GrhView header(String ipv4) {
        return new GrhView()
                .wrap(MemorySegment.ofArray(HexFormat.of().parseHex("00".repeat(GrhView.BYTES / 2) + ipv4)), 0);
    }

    @Test
    void leadsBackTheWayThatTheDatagramCame() {
        try (AddressHandle back = verbs.domain().addressHandle(receive(), header(FROM_10_0_3_1), PORT)) {
            AddressHandleConfig config = back.config();
            assertThat(Gid.of(config.gid())).hasToString("::ffff:10.0.3.1");
            assertThat(config.gidIndex()).isEqualTo(OWN_INDEX);
            assertThat(config.port()).isEqualTo(PORT);
            assertThat(config.lid()).isEqualTo(LID);
            assertThat(config.serviceLevel()).isEqualTo(SERVICE_LEVEL);
            assertThat(config.trafficClass()).isEqualTo(0x28);
            assertThat(config.hopLimit()).isEqualTo(63);
            assertThat(Stub.pathBits()).isEqualTo(PATH_BITS);
        }
    }

    @Test
    void answersAllocateNothing() {
        GrhView header = header(FROM_10_0_3_1);
        WorkCompletion datagram = receive();
        SgList nothing = SgList.ofCapacity(1);
        try (AddressHandle back = verbs.domain().addressHandle(datagram, header, PORT)) {
            Gid source = header.source();
            WorkRequest request = WorkRequest.of(SendOpcode.SEND);
            Allocation.expectNone(OPERATIONS, ROUNDS, () -> {
                for (int i = 0; i < OPERATIONS; i++) {
                    require(header.isFrom(source) && datagram.sourceQpNumber() == SOURCE_QP);
                    require(queuePair.post(request.opcode(SendOpcode.SEND)
                                    .wrId(i)
                                    .local(nothing)
                                    .destination(back, datagram.sourceQpNumber(), 3)
                                    .flags(SIGNALED))
                            == PostStatus.ACCEPTED);
                    require(sends.poll(sent) == 1);
                }
            });
        }
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new AssertionError("an answer was refused or did not complete");
        }
    }

    @Test
    void refusesWhatIsNoDatagramThatCame() {
        try (AddressHandle handle = verbs.domain().addressHandle(AddressHandleConfig.to(new Gid(1, 2)))) {
            SgList nothing = SgList.ofCapacity(1);
            require(queuePair.post(WorkRequest.of(SendOpcode.SEND)
                            .wrId(1)
                            .local(nothing)
                            .destination(handle, SOURCE_QP, 3)
                            .flags(SIGNALED))
                    == PostStatus.ACCEPTED);
        }
        assertThat(sends.poll(sent)).isEqualTo(1);
        assertThatThrownBy(() -> verbs.domain().addressHandle(sent.get(0), header(FROM_10_0_3_1), PORT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not identify the sender of a datagram");
    }

    @Test
    void refusesADatagramOfAGroupAndSaysWhatToDo() {
        WorkCompletion datagram = receive();
        String toGroup = FROM_10_0_3_1.replace("0a000302", "ef010203");
        assertThatThrownBy(() -> verbs.domain().addressHandle(datagram, header(toGroup), PORT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("multicast group ::ffff:239.1.2.3")
                .hasMessageContaining("GrhView.source()");
    }

    @Test
    void saysWhatTheLibraryDoesNotFind() {
        WorkCompletion datagram = receive();
        Stub.gid(PORT, OWN_INDEX, 0, 0, 0);
        int before = Stub.addressHandles();
        assertThatThrownBy(() -> verbs.domain().addressHandle(datagram, header(FROM_10_0_3_1), PORT))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("EINVAL")
                .hasMessageContaining("must still be an address of port 1")
                .hasMessageContaining("::ffff:10.0.3.1 to ::ffff:10.0.3.2");
        Stub.fail("ibv_init_ah_from_wc", Errno.ENOMEM, 1);
        assertThatThrownBy(() -> verbs.domain().addressHandle(datagram, header(FROM_10_0_3_1), PORT))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("ENOMEM");
        assertThat(Stub.addressHandles()).isEqualTo(before);
    }
}
