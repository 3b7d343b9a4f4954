package org.panamaverbs.iwarp.engine;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.panamaverbs.iwarp.engine.device.SpinLock;

/** The lock of completion queues and shared receive queues: one at a time, and who comes next sees everything. */
@JCStressTest
@Outcome(
        id = {"1, 2, 2", "2, 1, 2"},
        expect = Expect.ACCEPTABLE,
        desc = "One after the other.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both at once, or one did not see the other.")
@State
public class SpinLockStress {
    private final SpinLock lock = new SpinLock();
    private int plain;

    @Actor
    public void one(III_Result r) {
        r.r1 = count();
    }

    @Actor
    public void other(III_Result r) {
        r.r2 = count();
    }

    @Arbiter
    public void end(III_Result r) {
        r.r3 = plain;
    }

    private int count() {
        lock.lock();
        int mine = plain + 1;
        plain = mine;
        lock.unlock();
        return mine;
    }
}
