package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.INLINE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.testkit.Posts;

/**
 * Datagrams with several faults, of which one is told: the first in the order that every provider keeps.
 *
 * @param closed a closed queue pair of type UD
 * @param unconnected one that is not ready to send
 * @param ready one that is, of at least two pieces a send
 * @param ours an address handle of their domain
 * @param closedHandle a closed one
 */
public record DatagramFaults(
        QueuePair closed, QueuePair unconnected, QueuePair ready, AddressHandle ours, AddressHandle closedHandle) {
    private static final int NO_FLAG = 1 << 30;

    /** An address handle of another provider. */
    private record Foreign(AddressHandleConfig config) implements AddressHandle {
        @Override
        public void close() {
            // Has nothing.
        }
    }

    /** Takes one fault after the other away from a datagram, and fails unless the next in order is told each time. */
    public void expectInOrder() {
        AddressHandle foreign = new Foreign(ours.config());
        int most = ready.config().maxSendSge();
        SgList tooMany = pieces(most + 1, 1L << 31);
        expect(IllegalStateException.class, "queue pair", closed, SendOpcode.RDMA_WRITE, tooMany, foreign);
        expect(IllegalArgumentException.class, "address handle", unconnected, SendOpcode.SEND, tooMany, foreign);
        expect(IllegalArgumentException.class, "address handle", ready, SendOpcode.RDMA_WRITE, tooMany, foreign);
        expect(IllegalStateException.class, "address handle", unconnected, SendOpcode.SEND, tooMany, closedHandle);
        expect(IllegalStateException.class, "address handle", ready, SendOpcode.RDMA_WRITE, tooMany, closedHandle);
        for (QueuePair each : new QueuePair[] {unconnected, ready}) {
            Posts.answered(PostStatus.INVALID, post(each, SendOpcode.RDMA_WRITE, tooMany, ours, INLINE));
            Posts.answered(PostStatus.INVALID, post(each, SendOpcode.SEND, tooMany, ours, NO_FLAG));
        }
        Posts.answered(PostStatus.NOT_CONNECTED, post(unconnected, SendOpcode.SEND, tooMany, ours, INLINE));
        Posts.answered(PostStatus.TOO_MANY_SEGMENTS, post(ready, SendOpcode.SEND, tooMany, ours, INLINE));
        SgList tooLong = pieces(2, 1L << 31);
        Posts.answered(PostStatus.INLINE_TOO_LONG, post(ready, SendOpcode.SEND, tooLong, ours, INLINE));
        Posts.answered(PostStatus.MESSAGE_TOO_LONG, post(ready, SendOpcode.SEND, tooLong, ours, 0));
        expectDataWithoutRegistrationRefused();
    }

    /** A datagram takes no data that is not registered: a malformed request, which is told in the same order. */
    private void expectDataWithoutRegistrationRefused() {
        WorkRequest request = WorkRequest.of(SendOpcode.SEND)
                .wrId(1)
                .inline(MemorySegment.ofArray(new byte[Long.BYTES]), 0, Long.BYTES)
                .destination(ours, 1, 0)
                .flags(SIGNALED);
        assertThatThrownBy(() -> closed.post(request))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("queue pair");
        Posts.answered(PostStatus.INVALID, unconnected.post(request));
        Posts.answered(PostStatus.INVALID, ready.post(request));
    }

    private static void expect(
            Class<? extends RuntimeException> reason,
            String text,
            QueuePair queuePair,
            SendOpcode operation,
            SgList list,
            AddressHandle to) {
        assertThatThrownBy(() -> post(queuePair, operation, list, to, INLINE | NO_FLAG))
                .isInstanceOf(reason)
                .hasMessageContaining(text);
    }

    private static int post(QueuePair queuePair, SendOpcode operation, SgList list, AddressHandle to, int flags) {
        return queuePair.post(WorkRequest.of(operation)
                .wrId(1)
                .local(list)
                .destination(to, 1, 0)
                .flags(flags | SIGNALED));
    }

    private static SgList pieces(int count, long octets) {
        SgList list = SgList.ofCapacity(count);
        for (int i = 0; i < count; i++) {
            list.add(0, octets, 0);
        }
        return list;
    }
}
