package org.panamaverbs.bench.binding;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.bindings.ibverbs.ibv_wc;
import org.panamaverbs.ibverbs.call.Ops;

/** The calls that the benchmarks measure reach the stub, bring its answers back and allocate nothing. */
class OpsOverStubTest {
    private static final int REFUSED = 12;

    @BeforeAll
    static void stub() {
        Stub.require();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void postsReachTheStub(boolean critical) {
        StubDevice device = new StubDevice();
        Ops ops = Ops.of(device.context, critical);
        Stub.postResult(REFUSED);
        try {
            assertThat(post(ops, device)).isEqualTo(REFUSED);
            assertThat(Jni.postSend(device.qp.address(), device.wr.address(), 0))
                    .isEqualTo(REFUSED);
            assertThat(Floor.postSend(device.qp.address(), device.wr.address(), 0, 5))
                    .isZero();
        } finally {
            Stub.postResult(0);
        }
        assertThat(post(ops, device)).isZero();
        assertThat(Floor.postSend(device.qp.address(), device.wr.address(), 0, 5))
                .isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pollsBringTheStubsCompletions(boolean critical) {
        StubDevice device = new StubDevice();
        Ops ops = Ops.of(device.context, critical);
        Floor.completions(3);
        try {
            assertThat(ops.pollCq(device.cq.address(), 2, device.wc.address())).isEqualTo(2);
            assertThat(ops.pollCq(device.cq.address(), 16, device.wc.address())).isEqualTo(3);
            assertThat(ibv_wc.byte_len(device.wc)).isEqualTo(64);
            assertThat(ibv_wc.wr_id(device.wc)).isEqualTo(ibv_wc.wr_id(ibv_wc.asSlice(device.wc, 2)) - 2);
        } finally {
            Floor.completions(0);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void callsAllocateNothing(boolean critical) {
        StubDevice device = new StubDevice();
        Ops ops = Ops.of(device.context, critical);
        long qp = device.qp.address();
        long wr = device.wr.address();
        long badWr = device.badWr.address();
        long cq = device.cq.address();
        long wc = device.wc.address();
        Allocation.none(() -> ops.postSend(qp, wr, badWr));
        Allocation.none(() -> ops.postRecv(qp, wr, badWr));
        Allocation.none(() -> ops.pollCq(cq, StubDevice.ENTRIES, wc));
        Allocation.none(() -> ops.reqNotifyCq(cq, 0));
    }

    private static int post(Ops ops, StubDevice device) {
        return ops.postSend(device.qp.address(), device.wr.address(), device.badWr.address());
    }
}
