package org.panamaverbs.testkit.conformance.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.GuardedBuffer;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.random.Patterns;

/** Local buffers that a request may not use: it fails, no byte moves. A provider may refuse it while posting. */
public abstract class LocalProtectionConformance extends Conformance {
    /** For subclasses. */
    protected LocalProtectionConformance() {}

    @Test
    void refusesSendFromUnknownKey() {
        ConnectedPair pair = pair();
        RegisteredBuffer buffer = pair.a().buffer();
        sendFrom(pair, buffer.iova(), 16, buffer.lkey() ^ 0x5555_5500);
    }

    @Test
    @Requirement("RDMAP-8.1.1-1-01")
    void refusesSendFromBufferOfAnotherDomain() {
        ConnectedPair pair = pair();
        ProtectionDomain other = resources().add(pair.a().verbs().protectionDomain());
        RegisteredBuffer foreign = resources().add(other.allocate(4096, Access.LOCAL_WRITE));
        sendFrom(pair, foreign.iova(), 16, foreign.lkey());
    }

    @Test
    @Requirement("RDMAP-8.1.1-3-01")
    void refusesSendFromBeyondTheBuffer() {
        ConnectedPair pair = pair();
        GuardedBuffer buffer = guarded(pair.a(), 64, Access.LOCAL_WRITE);
        sendFrom(pair, buffer.buffer().iova() + 49, 16, buffer.buffer().lkey());
    }

    @Test
    @Requirement("RDMAP-8.1.1-6-01")
    void refusesSendFromClosedBuffer() {
        ConnectedPair pair = pair();
        GuardedBuffer buffer = guarded(pair.a(), 64, Access.LOCAL_WRITE);
        buffer.buffer().close();
        sendFrom(pair, buffer.buffer().iova(), 16, buffer.buffer().lkey());
    }

    @Test
    void refusesReadIntoBufferWithoutLocalWrite() {
        ConnectedPair pair = pair();
        GuardedBuffer sink = guarded(pair.a(), 64, Access.REMOTE_READ);
        pair.b().put(0, Patterns.bytes(1, 64));
        int status = pair.qpA().read(1, sink.buffer(), 0, 64, pair.b().remote(), 0, SIGNALED);
        if (status >= 0) {
            expectLocalError(pair.a(), pair.a().inbox().take());
        }
        sink.expectUntouched();
    }

    @Test
    void refusesAtomicResultIntoBufferWithoutLocalWrite() {
        ConnectedPair pair = pair(OneSided.FETCH_ADD.features());
        GuardedBuffer sink = guarded(pair.a(), 64, Access.REMOTE_READ);
        int status = pair.qpA().fetchAdd(1, sink.buffer(), 0, pair.b().remote(), 0, 1, SIGNALED);
        if (status >= 0) {
            expectLocalError(pair.a(), pair.a().inbox().take());
        }
        sink.expectUntouched();
    }

    @Test
    void refusesReadIntoUnknownKey() {
        ConnectedPair pair = pair();
        RegisteredBuffer buffer = pair.a().buffer();
        int status = pair.qpA()
                .post(WorkRequest.of(SendOpcode.RDMA_READ)
                        .wrId(1)
                        .local(buffer.iova(), 64, buffer.lkey() ^ 0x5555_5500)
                        .remote(pair.b().remote().address(), pair.b().buffer().rkey())
                        .flags(SIGNALED));
        if (status >= 0) {
            expectLocalError(pair.a(), pair.a().inbox().take());
        }
        assertThat(pair.a().get(0, 64)).containsOnly(0);
    }

    @Test
    @Requirement({"RDMAP-3.2-03", "DDP-7.1-01"})
    void messageForReceiveWithoutLocalWriteIsNotPlaced() {
        ConnectedPair pair = pair();
        GuardedBuffer sink = guarded(pair.b(), 64, Access.REMOTE_READ);
        receiveInto(pair, sink.buffer().iova(), sink.buffer().lkey());
        sink.expectUntouched();
    }

    @Test
    @Requirement({"RDMAP-8.1.1-1-01", "RDMAP-3.2-03"})
    void messageForReceiveOfAnotherDomainIsNotPlaced() {
        ConnectedPair pair = pair();
        ProtectionDomain other = resources().add(pair.b().verbs().protectionDomain());
        GuardedBuffer sink = GuardedBuffer.register(resources(), other, 64, Access.LOCAL_WRITE);
        receiveInto(pair, sink.buffer().iova(), sink.buffer().lkey());
        sink.expectUntouched();
    }

    @Test
    @Requirement({"RDMAP-8.1.1-6-01", "SEC-6.2.2-01"})
    void messageForReceiveOfClosedBufferIsNotPlaced() {
        ConnectedPair pair = pair();
        GuardedBuffer sink = guarded(pair.b(), 64, Access.LOCAL_WRITE);
        accepted(pair.qpB().recv(1, sink.buffer()));
        sink.buffer().close();
        accepted(pair.qpA().send(2, pair.a().buffer(), 0, 64, SIGNALED));
        expectLocalError(pair.b(), pair.b().inbox().take());
        pair.awaitDown();
        sink.expectUntouched();
    }

    private static void sendFrom(ConnectedPair pair, long address, int length, int lkey) {
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 64));
        int status = pair.qpA()
                .post(WorkRequest.of(SendOpcode.SEND)
                        .wrId(2)
                        .local(address, length, lkey)
                        .flags(SIGNALED));
        if (status >= 0) {
            expectLocalError(pair.a(), pair.a().inbox().take());
        }
        assertThat(pair.b().get(0, 64)).containsOnly(0);
    }

    private static void receiveInto(ConnectedPair pair, long address, int lkey) {
        int status = pair.qpB().postRecv(1, address, 64, lkey);
        if (status < 0) {
            return;
        }
        accepted(pair.qpA().send(2, pair.a().buffer(), 0, 64, SIGNALED));
        expectLocalError(pair.b(), pair.b().inbox().take());
        pair.awaitDown();
    }

    private static void expectLocalError(Endpoint at, Completion completion) {
        assertThat(completion.ok()).as("%s", completion).isFalse();
        if (!at.keeps(Guarantee.ERROR_STATUSES)) {
            return;
        }
        assertThat(completion.status())
                .as("%s", completion)
                .isIn(
                        WcStatus.LOCAL_PROTECTION_ERROR,
                        WcStatus.LOCAL_ACCESS_ERROR,
                        WcStatus.LOCAL_QP_OPERATION_ERROR,
                        WcStatus.LOCAL_LENGTH_ERROR);
    }
}
