package org.panamaverbs.iwarp.core;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;

/** Registrations that come and go in one bucket of the table of STags. */
public final class StagTableStress {
    private static final MemorySegment MEMORY = Arena.global().allocate(JAVA_LONG);
    private static final int SAME_BUCKET = 1 << 20;

    private StagTableStress() {}

    private static StagTable table(int maxRegions) {
        return new StagTable(maxRegions, new AtomicInteger(SAME_BUCKET) {
            int next() {
                return addAndGet(SAME_BUCKET);
            }
        }::next);
    }

    private static @Nullable Region enable(StagTable table) {
        return table.enable(MEMORY, 0, Cells.ALL, Cells.DOMAIN);
    }

    /** Two are enabled: both are found. */
    @JCStressTest
    @Outcome(id = "true, true, 2", expect = Expect.ACCEPTABLE, desc = "Both are there.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One was lost.")
    @State
    public static class EnableAgainstEnable {
        private final StagTable table = table(4);
        private @Nullable Region first;
        private @Nullable Region second;

        @Actor
        public void one() {
            first = enable(table);
        }

        @Actor
        public void other() {
            second = enable(table);
        }

        @Arbiter
        public void end(ZZI_Result r) {
            r.r1 = first != null && table.find(first.stag()) == first;
            r.r2 = second != null && table.find(second.stag()) == second;
            r.r3 = table.size();
        }
    }

    /** One goes while another one comes. */
    @JCStressTest
    @Outcome(id = "false, true, 1", expect = Expect.ACCEPTABLE, desc = "Gone, and there.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One came back, or the other was lost.")
    @State
    public static class RemoveAgainstEnable {
        private final StagTable table = table(4);
        private final Region first = Objects.requireNonNull(StagTableStress.enable(table), "full");
        private @Nullable Region second;

        @Actor
        public void remove() {
            Target.revoke(first);
            table.remove(first);
        }

        @Actor
        public void enable() {
            second = StagTableStress.enable(table);
        }

        @Arbiter
        public void end(ZZI_Result r) {
            r.r1 = table.find(first.stag()) != null;
            r.r2 = second != null && table.find(second.stag()) == second;
            r.r3 = table.size();
        }
    }

    /** The last place. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = Expect.ACCEPTABLE,
            desc = "One of the two has it.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "More than there may be.")
    @State
    public static class LastPlace {
        private final StagTable table = table(1);

        @Actor
        public void one(ZZ_Result r) {
            r.r1 = enable(table) != null;
        }

        @Actor
        public void other(ZZ_Result r) {
            r.r2 = enable(table) != null;
        }
    }
}
