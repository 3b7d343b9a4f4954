package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.wire.Allocation;
import org.panamaverbs.spi.support.WindowBinding;

/** Post, transmit, receive, complete: nothing of it allocates once it runs. */
@Tag("alone")
class StreamAllocationTest {
    private static final int SIGNALED = SendFlag.SIGNALED;

    /** One operation with all that belongs to it. */
    record Operation(String name, Consumer<Loop> post) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Counts completions and forgets them. */
    private static final class Counter implements CompletionSink {
        long good;
        long bad;

        @Override
        public long complete(
                long wrId,
                WcStatus status,
                WcOpcode opcode,
                int qpNumber,
                long byteCount,
                int flags,
                long immediateOrStag,
                int vendorError) {
            if (status == WcStatus.SUCCESS) {
                good++;
            } else {
                bad++;
            }
            return 0;
        }
    }

    /** Two connected sides and what an operation needs, made once. */
    static final class Loop {
        private final Counter counter = new Counter();
        final Side a;
        final Side b;
        final Guarded local;
        final Guarded remote;
        final SgList two;
        final Region window;
        /** What the window is bound to under each key that it can have, the low 8 bits of its STag. */
        final WindowBinding[] bindings = new WindowBinding[256];

        int random;

        Loop() {
            Pipe toB = new Pipe();
            Pipe toA = new Pipe();
            a = side(1, toA, toB);
            b = side(2, toB, toA);
            Pair pair = new Pair(a, b).start();
            local = a.memory(32_768);
            remote = b.memory(32_768);
            two = SgList.ofCapacity(2).add(local.base, 100, local.stag()).add(local.base + 1000, 900, local.stag());
            window = java.util.Objects.requireNonNull(b.stags.reserve(Side.DOMAIN));
            for (int key = 0; key < bindings.length; key++) {
                bindings[key] = new WindowBinding((window.stag() & ~0xFF) | key, remote.base, 64, 2);
            }
            assertThat(pair.now).isPositive();
        }

        private Side side(int number, Pipe in, Pipe out) {
            StagTable stags = new StagTable(16, Side.randomStags(number));
            return new Side(Side.config(number), in, out, stags, counter, counter);
        }

        void receive() {
            b.stream.receives().post(1, remote.base, 4096, remote.stag());
        }

        void settle() {
            boolean busy = true;
            while (busy) {
                busy = a.step(5_000);
                busy |= b.step(5_000);
            }
        }
    }

    private static Operation single(String name, SendOpcode operation, long length, boolean receives) {
        return new Operation(name, loop -> {
            if (receives) {
                loop.receive();
            }
            loop.a
                    .stream
                    .sends()
                    .post(
                            operation,
                            1,
                            loop.local.base,
                            length,
                            loop.local.stag(),
                            loop.remote.base,
                            loop.remote.stag(),
                            7,
                            SIGNALED);
        });
    }

    private static Operation atomic(SendOpcode operation) {
        return new Operation(
                operation.name(),
                loop -> loop.a
                        .stream
                        .sends()
                        .postAtomic(
                                operation,
                                1,
                                loop.local.base,
                                loop.local.stag(),
                                loop.remote.base,
                                loop.remote.stag(),
                                1,
                                2,
                                3,
                                4,
                                SIGNALED));
    }

    static Stream<Operation> operations() {
        return Stream.of(
                single("Send of 64", SendOpcode.SEND, 64, true),
                single("Send of 4096", SendOpcode.SEND, 4096, true),
                single("Write of 64", SendOpcode.RDMA_WRITE, 64, false),
                single("Write of 16384", SendOpcode.RDMA_WRITE, 16_384, false),
                single("Write with Immediate", SendOpcode.RDMA_WRITE_WITH_IMMEDIATE, 64, true),
                single("Immediate", SendOpcode.IMMEDIATE, 0, true),
                single("Read of 64", SendOpcode.RDMA_READ, 64, false),
                single("Read of 16384", SendOpcode.RDMA_READ, 16_384, false),
                atomic(SendOpcode.FETCH_ADD),
                atomic(SendOpcode.CMP_SWAP),
                atomic(SendOpcode.MASKED_FETCH_ADD),
                atomic(SendOpcode.MASKED_CMP_SWAP),
                new Operation("gathered Send", loop -> {
                    loop.receive();
                    loop.a.stream.sends().post(SendOpcode.SEND, 1, loop.two, 0, 0, 0, SIGNALED);
                }),
                new Operation("inline Send", loop -> {
                    loop.receive();
                    loop.a.stream.sends().postInline(SendOpcode.SEND, 1, loop.local.memory, 0, 64, 0, 0, 0, SIGNALED);
                }),
                new Operation("batch of Writes", loop -> {
                    loop.a.stream.sends().holds = true;
                    for (int i = 0; i < 8; i++) {
                        loop.a
                                .stream
                                .sends()
                                .post(
                                        SendOpcode.RDMA_WRITE,
                                        i,
                                        loop.local.base,
                                        64,
                                        loop.local.stag(),
                                        loop.remote.base,
                                        loop.remote.stag(),
                                        0,
                                        i == 7 ? SIGNALED : 0);
                    }
                    loop.a.stream.sends().holds = false;
                    loop.a.stream.sends().publish();
                }),
                new Operation("bind and invalidate a window", loop -> {
                    int stag = loop.window.nextStag(loop.random++);
                    loop.b
                            .stream
                            .sends()
                            .postBind(1, loop.window, true, loop.remote.stag(), loop.bindings[stag & 0xFF], SIGNALED);
                    loop.receive();
                    loop.settle();
                    loop.a
                            .stream
                            .sends()
                            .post(
                                    SendOpcode.SEND_WITH_INVALIDATE,
                                    1,
                                    loop.local.base,
                                    8,
                                    loop.local.stag(),
                                    0,
                                    0,
                                    Integer.toUnsignedLong(stag),
                                    SIGNALED);
                }));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void allocatesNothing(Operation operation) {
        Loop loop = new Loop();
        long bytes = Allocation.bytesPerThousand(() -> {
            operation.post().accept(loop);
            loop.settle();
        });
        assertThat(loop.counter.bad).isZero();
        assertThat(loop.counter.good).isGreaterThanOrEqualTo(100_000);
        assertThat(bytes).isNotPositive();
    }
}
