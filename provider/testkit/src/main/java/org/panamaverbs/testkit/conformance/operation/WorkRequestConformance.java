package org.panamaverbs.testkit.conformance.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Needs;

/** One request object posts every operation, refilled: what it held before is not seen. */
public abstract class WorkRequestConformance extends Conformance {
    private static final long CELL = 64;
    private static final long RESULT = 4096;

    private final WorkRequest request = WorkRequest.of(SendOpcode.SEND);

    /** For subclasses. */
    protected WorkRequestConformance() {}

    @Test
    @ApiCase
    void oneRequestPostsSendsWritesAndReads() {
        ConnectedPair pair = pair();
        transfers(pair, pair.qpA());
    }

    @Test
    @ApiCase
    void aBatchCollectsCopiesOfARequest() {
        ConnectedPair pair = pair();
        transfers(pair, pair.qpA().batch());
    }

    private void transfers(ConnectedPair pair, SendQueue queue) {
        pair.a().put(0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        pair.b().put(200, new byte[] {9, 8, 7});
        RemoteBuffer remote = pair.b().remote();
        MemorySegment data = MemorySegment.ofArray(new byte[] {0, 21, 22, 23});
        // Some adapters take one entry.
        boolean two = pair.qpA().config().maxSendSge() > 1;
        SgList list = SgList.ofCapacity(2).add(pair.a().buffer(), 4, two ? 2 : 4);
        if (two) {
            list.add(pair.a().buffer(), 0, 2);
        }
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 8));
        accepted(pair.qpB().recv(2, pair.b().buffer(), 10, 8));

        accepted(queue.post(request.opcode(SendOpcode.RDMA_WRITE)
                .wrId(3)
                .local(pair.a().buffer(), 0, 4)
                .remote(remote, 100)
                .flags(NONE)));
        accepted(queue.post(request.opcode(SendOpcode.SEND).wrId(4).local(list).flags(SIGNALED)));
        list.clear();
        accepted(queue.post(
                request.opcode(SendOpcode.RDMA_WRITE).inline(data, 1, 3).remote(remote, 110)));
        data.fill((byte) 0);
        accepted(queue.post(request.opcode(SendOpcode.RDMA_READ)
                .wrId(5)
                .local(pair.a().buffer(), RESULT, 3)
                .remote(remote, 200)
                .flags(SIGNALED)));
        accepted(queue.post(request.opcode(SendOpcode.SEND).wrId(6).flags(SIGNALED)));
        if (queue instanceof Batch batch) {
            batch.submitAll();
        }

        assertThat(pair.a().inbox().takeOk(4).opcode()).isEqualTo(WcOpcode.SEND);
        assertThat(pair.a().inbox().takeOk(5).opcode()).isEqualTo(WcOpcode.RDMA_READ);
        pair.a().inbox().takeOk(6);
        assertThat(pair.b().inbox().takeOk(1).byteCount()).isEqualTo(4);
        assertThat(pair.b().inbox().takeOk(2).byteCount()).isZero();
        assertThat(pair.b().get(0, 4)).containsExactly(5, 6, two ? 1 : 7, two ? 2 : 8);
        assertThat(pair.b().get(100, 4)).containsExactly(1, 2, 3, 4);
        assertThat(pair.b().get(110, 3)).containsExactly(21, 22, 23);
        assertThat(pair.a().get(RESULT, 3)).containsExactly(9, 8, 7);
    }

    @Test
    @Needs(Feature.ATOMICS)
    void oneRequestPostsAtomics() {
        ConnectedPair pair = pair();
        pair.b().putLong(CELL, 10);
        accepted(pair.qpA().post(atomic(pair, SendOpcode.FETCH_ADD, 1).add(5)));
        pair.a().inbox().takeOk(1);
        assertThat(pair.a().getLong(RESULT)).isEqualTo(10);
        accepted(pair.qpA().post(atomic(pair, SendOpcode.CMP_SWAP, 2).compareAndSwap(15, 40)));
        pair.a().inbox().takeOk(2);
        assertThat(pair.a().getLong(RESULT)).isEqualTo(15);
        assertThat(pair.b().getLong(CELL)).isEqualTo(40);
    }

    @Test
    @Needs(Feature.MASKED_ATOMICS)
    void oneRequestPostsMaskedAtomics() {
        ConnectedPair pair = pair();
        pair.b().putLong(CELL, 0xFF01);
        accepted(pair.qpA()
                .post(atomic(pair, SendOpcode.MASKED_FETCH_ADD, 1).add(0x0101).fieldMask(0x8080)));
        pair.a().inbox().takeOk(1);
        assertThat(pair.b().getLong(CELL)).isEqualTo(0x0002);
        accepted(pair.qpA()
                .post(atomic(pair, SendOpcode.MASKED_CMP_SWAP, 2)
                        .compareAndSwap(0x0002, 0x7777)
                        .masks(0xFF, 0xF0)));
        pair.a().inbox().takeOk(2);
        assertThat(pair.b().getLong(CELL)).isEqualTo(0x0072);
    }

    private WorkRequest atomic(ConnectedPair pair, SendOpcode operation, long wrId) {
        return request.opcode(operation)
                .wrId(wrId)
                .local(pair.a().buffer(), RESULT, Long.BYTES)
                .remote(pair.b().remote(), CELL)
                .flags(SIGNALED);
    }

    @Test
    @Needs({Feature.MEMORY_WINDOW_TYPE_2, Feature.LOCAL_INVALIDATE})
    void oneRequestBindsAndInvalidates() {
        ConnectedPair pair = pair();
        MemoryWindow window = resources().add(pair.b().domain().memoryWindow(MemoryWindow.Type.TYPE_2));
        accepted(pair.qpB()
                .post(request.opcode(SendOpcode.BIND_WINDOW)
                        .wrId(1)
                        .window(window, pair.b().buffer(), 0, 64, Access.mask(Access.REMOTE_WRITE))
                        .flags(SIGNALED)));
        assertThat(pair.b().inbox().takeOk(1).opcode()).isEqualTo(WcOpcode.BIND_WINDOW);
        accepted(pair.qpB()
                .post(request.opcode(SendOpcode.LOCAL_INVALIDATE)
                        .wrId(2)
                        .invalidate(window.rkey())
                        .flags(SIGNALED)));
        assertThat(pair.b().inbox().takeOk(2).opcode()).isEqualTo(WcOpcode.LOCAL_INVALIDATE);
    }

    @Test
    @ApiCase
    void refusesWhatAnOperationCannotTake() {
        ConnectedPair pair = pair();
        RemoteBuffer remote = pair.b().remote();
        assertThatThrownBy(() -> pair.qpA()
                        .post(request.opcode(SendOpcode.RDMA_WRITE)
                                .local(pair.a().buffer(), 0, 8)
                                .remote(remote, remote.length() - 7)))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(pair.qpA()
                        .post(request.opcode(SendOpcode.RDMA_READ)
                                .inline(MemorySegment.ofArray(new byte[8]), 0, 8)
                                .remote(remote, 0)))
                .isEqualTo(PostStatus.INVALID);
        if (pair.a().capabilities().has(Feature.ATOMICS)) {
            SgList list = SgList.ofCapacity(1).add(pair.a().buffer(), RESULT, Long.BYTES);
            assertThat(pair.qpA().post(atomic(pair, SendOpcode.FETCH_ADD, 1).local(list)))
                    .isEqualTo(PostStatus.INVALID);
        }
        pair.barrier();
    }
}
