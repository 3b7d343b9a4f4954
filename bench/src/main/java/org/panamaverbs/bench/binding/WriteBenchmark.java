package org.panamaverbs.bench.binding;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.TearDown;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.NanosecondsBenchmark;
import org.panamaverbs.bench.Question;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** What posting a signaled RDMA Write costs, from the arguments to the driver's return. */
@Question("What does it cost to post a signaled RDMA Write on ibverbs, from the arguments to the return of the driver?")
@OperationsPerInvocation(WriteBenchmark.CALLS)
public class WriteBenchmark extends NanosecondsBenchmark {
    static final int CALLS = 1_000;

    private static final int LENGTH = 64;

    private final StubDevice device = new StubDevice();
    private final StubObjects plainVerbs = new StubObjects(false);
    private final QueuePair plain = plainVerbs.queuePair;
    private final StubObjects criticalVerbs = new StubObjects(true);
    private final QueuePair critical = criticalVerbs.queuePair;
    private final RegisteredBuffer buffer = criticalVerbs.buffer;
    private final RemoteBuffer remote = buffer.remote();
    private final WorkRequest request = WorkRequest.of(SendOpcode.RDMA_WRITE);

    @TearDown
    public void close() {
        plainVerbs.close();
        criticalVerbs.close();
    }

    /** The floor: C that fills the request and posts it. */
    @Benchmark
    public long c() {
        return Floor.write(
                device.qp.address(),
                device.wr.address(),
                buffer.checkedAddress(0, LENGTH),
                LENGTH,
                buffer.lkey(),
                0,
                1,
                CALLS);
    }

    /** Raw keys and addresses, a driver that may call the kernel. */
    @Benchmark
    @Against("c")
    public long postPlain() {
        return post(plain);
    }

    /** Raw keys and addresses, a driver that only rings a doorbell. */
    @Benchmark
    @Against("c")
    public long postCritical() {
        return post(critical);
    }

    /** With the bounds and rights of both sides checked. */
    @Benchmark
    @Against("c")
    public long writeCritical() {
        for (int i = 0; i < CALLS; i++) {
            if (critical.write(i, buffer, 0, LENGTH, remote, 0, SendFlag.SIGNALED) < 0) {
                return i;
            }
        }
        return CALLS;
    }

    private long post(QueuePair queuePair) {
        long address = buffer.checkedAddress(0, LENGTH);
        int lkey = buffer.lkey();
        for (int i = 0; i < CALLS; i++) {
            if (queuePair.post(request.opcode(SendOpcode.RDMA_WRITE)
                            .wrId(i)
                            .local(address, LENGTH, lkey)
                            .remote(0, 1)
                            .flags(SendFlag.SIGNALED))
                    < 0) {
                return i;
            }
        }
        return CALLS;
    }
}
